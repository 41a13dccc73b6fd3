// Finds a port of 127.0.0.1 on which no program listens.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// The first port to try. It is below the ports for outgoing connections, which could otherwise take the port before the
// server does.
const FIRST = 20_000;
const LAST = 32_767;
const ATTEMPTS = 50;

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${ATTEMPTS} ports of 127.0.0.1 between ${FIRST} and ${LAST} was free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
