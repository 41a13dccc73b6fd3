// Runs the real command as `npm run` does, and says how much memory it took at most, as the system counts it (/proc).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliOptions, type CliResult, endOf, spawnCli } from '../support/run-cli.ts';

interface Measured extends CliResult {
  /** Peak of the resident memory of the process with its threads, in bytes. */
  readonly mainBytes: number;
  /** The same with the processes that it started. */
  readonly peakBytes: number;
  /** Processor time of the process with its threads. */
  readonly cpuSeconds: number;
}

/** A look costs a few milliseconds itself. */
const POLL_MS = 100;
/** Writes the peak and the processor time of the main process when it ends. */
const REPORT = `data:text/javascript,${encodeURIComponent(`import { readFileSync, writeFileSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread && process.channel === undefined)
    process.on('exit', () => {
      const kilobytes = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))[1]);
      writeFileSync('measured.json', JSON.stringify({ kilobytes, ...process.cpuUsage() }));
    });`)}`;
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

/** `args[0]` is the command, which is run with the flags of Node that its script in package.json gives it. */
export async function runMeasured(args: readonly string[], options: CliOptions): Promise<Measured> {
  const nodeFlags = scripts[args[0] ?? '']?.match(/--max-\S+/g)?.join(' ') ?? '';
  const child = spawnCli(args, { ...options, env: { NODE_OPTIONS: nodeFlags, ...options.env }, preload: [REPORT] });
  child.stdin?.end(options.input ?? '');
  let ofChildren = 0;
  const poll = setInterval(() => {
    ofChildren = Math.max(ofChildren, peakOfChildren(child.pid ?? 0));
  }, POLL_MS);
  const result = await endOf(child).finally(() => clearInterval(poll));
  const { kilobytes, user, system } = JSON.parse(readFileSync(join(options.cwd, 'measured.json'), 'utf8'));
  const mainBytes = kilobytes * 1024;
  return { ...result, mainBytes, peakBytes: mainBytes + ofChildren, cpuSeconds: (user + system) / 1e6 };
}

function peakOfChildren(pid: number): number {
  const own = read(`/proc/${pid}/cmdline`);
  const children = list(`/proc/${pid}/task`).flatMap(
    (thread) => read(`/proc/${pid}/task/${thread}/children`).match(/\d+/g)?.map(Number) ?? [],
  );
  // Until it runs its own program, a child shows the command line and the memory of its parent.
  const started = children.filter((child) => read(`/proc/${child}/cmdline`) !== own);
  return started.reduce((sum, child) => sum + peakOf(child) + peakOfChildren(child), 0);
}

/** VmHWM never falls: its last value is the peak. 0 for a process that is gone. */
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
