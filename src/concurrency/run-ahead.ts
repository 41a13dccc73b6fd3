// Runs several tasks at once, and yields the results in task order.

/**
 * Runs at most `ahead` tasks besides the awaited one. A task's error is thrown in its turn and ends the iteration; an
 * error of the task source is thrown after all results.
 */
export async function* runAhead<Task, Result>(
  tasks: AsyncIterable<Task>,
  ahead: number,
  work: (task: Task) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  let trouble: { readonly error: unknown } | undefined;
  const source = tasks[Symbol.asyncIterator]();
  try {
    for (let isEnded = false; !isEnded || underWay.length > 0; ) {
      if (!isEnded) {
        const next = await source.next().catch((error: unknown) => {
          trouble = { error };
        });
        isEnded = next === undefined || next.done === true;
        if (next !== undefined && next.done !== true) {
          const result = work(next.value);
          result.catch(() => {}); // Its error is thrown in its turn.
          underWay.push(result);
        }
      }
      const first = isEnded || underWay.length > ahead ? underWay.shift() : undefined;
      if (first !== undefined) yield await first;
    }
  } finally {
    await source.return?.();
  }
  if (trouble !== undefined) throw trouble.error;
}
