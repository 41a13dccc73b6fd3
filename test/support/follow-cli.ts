// Starts the real `stxpress follow`, and posts to it as a node does.
import { onTestFinished } from 'vitest';
import { spawnCli } from './run-cli.ts';

export type Followed = Awaited<ReturnType<typeof startFollow>>;

export interface Payload {
  readonly path: string;
  readonly body: string;
}

/**
 * Resolves when it listens, with what it `printed` until then. It has a process group of its own, with the commands that
 * it runs.
 */
export async function startFollow(cwd: string, flags: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const args = ['follow', '--listen', '127.0.0.1:0', '--every', '1s', '--spool-file-bytes', '60000', ...flags];
  const child = spawnCli(args, { cwd, env: { STXPRESS_NO_FETCH: '1', ...env }, detached: true });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL');
  });
  let printed = '';
  child.stderr?.on('data', (chunk) => {
    printed += chunk;
  });
  for await (const chunk of child.stdout ?? []) {
    printed += chunk;
    const [, address] = /Listening at (\S+) for/.exec(printed) ?? [];
    if (address !== undefined && printed.endsWith('300_000\n')) return { child, url: `http://${address}`, printed };
  }
  throw new Error(`it did not listen: ${printed}`);
}

/** What a node says of a payload. */
export const NODE_HEADERS = { 'Content-Type': 'application/json' };

/** As a node's dispatcher: only 200 counts. */
export async function post(url: string, payload: Payload): Promise<boolean> {
  return (await statusOfPost(url, payload)) === 200;
}

/** Undefined where there is no answer. */
export async function statusOfPost(url: string, { path, body }: Payload): Promise<number | undefined> {
  try {
    const signal = AbortSignal.timeout(30_000);
    return (await fetch(`${url}${path}`, { method: 'POST', headers: NODE_HEADERS, body, signal })).status;
  } catch {
    return undefined;
  }
}
