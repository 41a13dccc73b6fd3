// Runs the real command with the Node flags of its first line, and measures its peak memory and CPU time in /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliOptions, type CliResult, ENTRY, endOf, spawnCli } from '../support/run-cli.ts';

interface Measured extends CliResult {
  /** The peak memory of the main process, including its threads, in bytes. */
  readonly mainBytes: number;
  /** The peak memory of the main process and its child processes together, in bytes. */
  readonly peakBytes: number;
  /** The CPU time of the main process, including its threads. */
  readonly cpuSeconds: number;
}

/** The interval between two measurements of memory. A measurement takes a few milliseconds. */
const POLL_MS = 100;
/**
 * A module that the command preloads. When the main process ends, it writes the peak memory and the CPU time to a file.
 */
const REPORT = `data:text/javascript,${encodeURIComponent(`import { readFileSync, writeFileSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread && process.channel === undefined)
    process.on('exit', () => {
      const kilobytes = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))[1]);
      writeFileSync('measured.json', JSON.stringify({ kilobytes, ...process.cpuUsage() }));
    });`)}`;
/** The Node flags in the first line of the command's program. */
const NODE_FLAGS = /--max-\S+/.exec(readFileSync(ENTRY, 'utf8'))?.[0] ?? '';

/** Runs the command with these arguments, and with its Node flags. */
export async function runMeasured(args: readonly string[], options: CliOptions): Promise<Measured> {
  const child = spawnCli(args, { ...options, env: { NODE_OPTIONS: NODE_FLAGS, ...options.env }, preload: [REPORT] });
  child.stdin?.end(options.input ?? '');
  let childrenBytes = 0;
  const poll = setInterval(() => {
    childrenBytes = Math.max(childrenBytes, peakOfChildren(child.pid ?? 0));
  }, POLL_MS);
  const result = await endOf(child).finally(() => clearInterval(poll));
  const { kilobytes, user, system } = JSON.parse(readFileSync(join(options.cwd, 'measured.json'), 'utf8'));
  const mainBytes = kilobytes * 1024;
  return { ...result, mainBytes, peakBytes: mainBytes + childrenBytes, cpuSeconds: (user + system) / 1e6 };
}

function peakOfChildren(pid: number): number {
  const commandLine = read(`/proc/${pid}/cmdline`);
  const children = list(`/proc/${pid}/task`).flatMap(
    (thread) => read(`/proc/${pid}/task/${thread}/children`).match(/\d+/g)?.map(Number) ?? [],
  );
  // A child process is counted after it has loaded its program. Before that, /proc reports the command line and memory
  // of its parent.
  const started = children.filter((child) => read(`/proc/${child}/cmdline`) !== commandLine);
  return started.reduce((sum, child) => sum + peakOf(child) + peakOfChildren(child), 0);
}

/** Returns the peak memory of a process (VmHWM, which never decreases), or 0 if the process has ended. */
function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
