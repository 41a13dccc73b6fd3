// Starts an API with prepared responses about tokens. Runs the commands that index from this API and build.
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { cannedToken } from '../support/canned-token.ts';
import { chainListener, chainOf, type LiveChain } from '../support/chain-listener.ts';
import { type LoopbackServer, loopbackServer } from '../support/loopback-server.ts';
import { runWarm } from '../support/run-cli.ts';
import { readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ADDRESS, idOf } from '../support/transactions.ts';

export const LIST = 'list.txt';

export const contractPath = (name: string) => `/extended/v1/contract/${idOf(name)}`;
export const GETTERS = ['get-name', 'get-symbol', 'get-decimals', 'get-total-supply', 'get-token-uri'];
export const callPaths = (name: string) =>
  GETTERS.map((getter) => `/v2/contracts/call-read/${ADDRESS}/${name}/${getter}`);

/** Starts a server that is both an API and a node. It has a token for each of these names. */
export function apiOf(names: readonly string[], more: Partial<LiveChain> = {}): Promise<LoopbackServer> {
  return loopbackServer(listenerOf(names, more));
}

export function listenerOf(names: readonly string[], more: Partial<LiveChain> = {}): RequestListener {
  return chainListener(
    chainOf(
      names.map((name) => cannedToken(name)),
      more,
    ),
  );
}

/** Creates a working folder with a file that lists the contracts with these names. */
export function folderWith(names: readonly string[]): string {
  const cwd = tempFolder();
  writeFileSync(join(cwd, LIST), names.map((name) => `${idOf(name)}\n`).join(''));
  return cwd;
}

export const indexFrom = (url: string, ...more: string[]) => ['index', '--api-url', url, '--contracts', LIST, ...more];

export async function built(cwd: string): Promise<Map<string, string>> {
  expect(await runWarm(['build'], { cwd })).toMatchObject({ status: 0 });
  return readTree(join(cwd, 'dist'));
}
