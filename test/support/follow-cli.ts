// Starts the real command `stxpress follow`, and posts payloads to it as a node does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { spoolFiles } from '#follow/spool.ts';
import { spawnCli } from './run-cli.ts';

export type Followed = Awaited<ReturnType<typeof startFollow>>;

export interface Payload {
  readonly path: string;
  readonly body: string;
}

/**
 * Starts a follower, and waits until it listens. Returns its output so far in `printed`. The follower and its commands
 * are in a new process group.
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
  throw new Error(`the follower does not listen: ${printed}`);
}

/** The headers that a node sends with its payloads. */
export const NODE_HEADERS = { 'Content-Type': 'application/json' };

/** Posts a payload as a node does. Returns true if the status is 200. */
export async function post(url: string, payload: Payload): Promise<boolean> {
  return (await statusOfPost(url, payload)) === 200;
}

/** Posts a payload and returns the status; undefined if no response arrives. */
export async function statusOfPost(url: string, { path, body }: Payload): Promise<number | undefined> {
  try {
    const signal = AbortSignal.timeout(30_000);
    return (await fetch(`${url}${path}`, { method: 'POST', headers: NODE_HEADERS, body, signal })).status;
  } catch {
    return undefined;
  }
}

/** Returns the lines of the archive in a follower's folder. */
export const spooledLines = (folder: string) =>
  spoolFiles(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1));
