// Shares the event loop among all connections.

/**
 * The number of turns in a round of the event loop. Between two rounds, Node reads all connections and accepts one, so
 * rounds must be short.
 */
const TURNS = 4;
const waiting: (() => void)[] = [];

/** Resolves when it is the caller's turn to respond to a request, or to send a piece of a file. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(startRound);
  });
}

function startRound(): void {
  for (const resolve of waiting.splice(0, TURNS)) resolve();
  if (waiting.length > 0) setImmediate(startRound);
}
