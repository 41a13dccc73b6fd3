// Measures the duration of commands from outside, and their peak memory if the system reports it in /proc.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Measured {
  readonly seconds: number;
  /** The peak of the resident memory in MB; undefined without /proc. */
  readonly peakMb: number | undefined;
}

const POLL_MS = 20;
const ENTRY = fileURLToPath(new URL('../../bin/stxpress.mjs', import.meta.url));

/** Runs a command. Throws an error with its output if it fails. */
export async function measure(command: string, args: readonly string[]): Promise<Measured> {
  const start = performance.now();
  const running = promisify(execFile)(command, args);
  let peakKb: number | undefined;
  const poll = setInterval(() => {
    peakKb = readPeakKb(running.child.pid) ?? peakKb;
  }, POLL_MS);
  await running.finally(() => clearInterval(poll));
  const seconds = (performance.now() - start) / 1000;
  return { seconds, peakMb: peakKb === undefined ? undefined : Math.round(peakKb / 1000) };
}

/** Runs a command of stxpress. Its first line sets the options of Node. */
export function stxpress(command: 'index' | 'build', ...args: string[]): Promise<Measured> {
  return measure(ENTRY, [command, ...args, '--quiet']);
}

/** Reads the peak of memory so far (VmHWM). The peak never decreases, so the last value is the final peak. */
function readPeakKb(pid: number | undefined): number | undefined {
  try {
    const kb = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kb === undefined ? undefined : Number(kb);
  } catch {
    return undefined;
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${availableParallelism()} cores of ${model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
}
