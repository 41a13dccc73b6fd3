// Starts the real `stxpress follow`, and posts to it as a node does.
import type { ChildProcess } from 'node:child_process';
import { spawnCli } from './run-cli.ts';

export interface Followed {
  readonly child: ChildProcess;
  readonly url: string;
}

export interface Payload {
  readonly path: string;
  readonly body: string;
}

/** Resolves when it listens. It has a process group of its own, with the commands that it runs. */
export async function startFollow(
  cwd: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Followed> {
  const args = ['follow', '--listen', '127.0.0.1:0', '--every', '1s', '--spool-file-bytes', '60000', ...flags];
  const child = spawnCli(args, { cwd, env: { STXPRESS_NO_FETCH: '1', ...env }, detached: true });
  let printed = '';
  child.stderr?.on('data', (chunk) => {
    printed += chunk;
  });
  for await (const chunk of child.stdout ?? []) {
    printed += chunk;
    const [, address] = /Listening at (\S+) for/.exec(printed) ?? [];
    if (address !== undefined) return { child, url: `http://${address}` };
  }
  throw new Error(`it did not listen: ${printed}`);
}

/** As a node's dispatcher: only 200 counts. */
export async function post(url: string, { path, body }: Payload): Promise<boolean> {
  try {
    return (await fetch(`${url}${path}`, { method: 'POST', body, signal: AbortSignal.timeout(5_000) })).status === 200;
  } catch {
    return false;
  }
}
