// Runs a command in this process, without the time that a new one takes to start.
import { join } from 'node:path';
import { main } from '../../../src/cli/main.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** As `cwd` would be the working folder of a process of its own; its exit status, and nothing is printed but errors. */
export async function runHere([command = '', ...flags]: readonly string[], cwd: string): Promise<number> {
  const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  const streams = [process.stdout, process.stderr];
  const ofStreams = streams.map((stream) => stream.listeners('error'));
  const out = command === 'build' ? ['--out', join(cwd, 'dist')] : [];
  try {
    return await main([command, ...flags, '--db', join(cwd, 'data/index.sqlite'), ...out, '--quiet']);
  } finally {
    for (const [signal, own] of before)
      for (const listener of process.listeners(signal)) if (!own.includes(listener)) process.off(signal, listener);
    for (const [index, stream] of streams.entries()) {
      const more = stream.listeners('error').slice(ofStreams[index]?.length);
      for (const listener of more) stream.off('error', listener as () => void);
    }
  }
}
