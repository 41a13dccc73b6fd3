// This script measures indexing from a node: node scripts/bench/fetch.ts [TOKENS] [CONCURRENCY]
// In one run it times a bare undici loop that makes the same requests, and `stxpress index`, each from the start of its
// process to its end, against a node in a third process: one whose calls the Clarity VM answers, as a node's are, and
// one that answers at once, which shows what indexing costs beside the network.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { TOKEN_GETTERS } from '#model/token.ts';
import { type CallAnswer, chainListener, chainOf } from '../../test/support/chain-listener.ts';
import { TOKEN_INTERFACE } from '../../test/support/interfaces.ts';
import { callInVm, tokenSource } from '../../test/support/vm-node.ts';

const ENTRY = fileURLToPath(new URL('../../bin/stxpress.mjs', import.meta.url));
const TARGET = 0.7;
const ROUNDS = 3;
/** Mainnet's median. */
const SOURCE_BYTES = 4_500;

const NODES = ['clarity-vm', 'at-once'] as const;

const [tokensText = '1000', concurrencyText = '16', role, argument = ''] = process.argv.slice(2);
const concurrency = Number(concurrencyText);
const ids = Array.from(
  { length: Number(tokensText) },
  (_, index) => `SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B.token-${index}`,
);
const sourceCode = `;; ${'x'.repeat(SOURCE_BYTES)}\n${tokenSource()}`;

if (role === 'node') await serve(argument as (typeof NODES)[number]);
else if (role === 'loop') await bareLoop(argument);
else for (const node of NODES) await measure(node);

/** A node, in a process of its own. */
async function serve(kind: (typeof NODES)[number]): Promise<void> {
  const first = ids[0] as string;
  const canned = new Map<string, CallAnswer>();
  for (const getter of TOKEN_GETTERS) canned.set(getter, await callInVm(first, sourceCode, getter));
  // Each is deployed when it is first called: that is not to be timed.
  if (kind === 'clarity-vm') for (const id of ids) await callInVm(id, sourceCode, 'get-name');
  const call = (id: string, name: string) =>
    kind === 'clarity-vm' ? callInVm(id, sourceCode, name) : (canned.get(name) as CallAnswer);
  const contracts = ids.map((contractId) => ({
    contractId,
    sourceCode,
    abi: TOKEN_INTERFACE,
    call: (name: string) => call(contractId, name),
  }));
  const server = createServer(chainListener(chainOf(contracts))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port);
}

async function measure(node: (typeof NODES)[number]): Promise<void> {
  const self = fileURLToPath(import.meta.url);
  const child: ChildProcess = fork(self, [tokensText, concurrencyText, 'node', node]);
  try {
    const [port] = (await once(child, 'message')) as [number];
    const url = `http://127.0.0.1:${port}`;
    const ratios: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const bareMs = await timed([self, tokensText, concurrencyText, 'loop', url], process.cwd());
      const indexMs = await indexCommand(url);
      ratios.push(bareMs / indexMs);
      const requests = ids.length * (1 + TOKEN_GETTERS.length);
      const rate = (ms: number) => `${Math.round(requests / (ms / 1000))} requests a second`;
      console.log(
        `${node}, round ${round}: ${requests} requests; bare undici ${rate(bareMs)}, stxpress index ${rate(indexMs)}, ratio ${(bareMs / indexMs).toFixed(2)}`,
      );
    }
    const ratio = Number((ratios.sort((left, right) => left - right)[ROUNDS >> 1] ?? 0).toFixed(2));
    // Against a node that needs no time there is no target: it is stated.
    const target = node === 'clarity-vm' ? TARGET : undefined;
    console.log(JSON.stringify({ bench: 'fetch', node, tokens: ids.length, concurrency, ratio, target }));
    if (target !== undefined && ratio < target) process.exitCode = 1;
  } finally {
    child.kill();
  }
}

/** Every request of the run, so many at once, each answer read and parsed. */
async function bareLoop(url: string): Promise<void> {
  const dispatcher = new Agent({ connections: concurrency });
  const queue = ids.values();
  const work = async () => {
    for (const id of queue) {
      const [address, name] = id.split('.') as [string, string];
      const contract = await request(`${url}/extended/v1/contract/${id}`, { dispatcher });
      JSON.parse(await contract.body.text());
      for (const getter of TOKEN_GETTERS) {
        const called = await request(`${url}/v2/contracts/call-read/${address}/${name}/${getter}`, {
          dispatcher,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ sender: address, arguments: [] }),
        });
        JSON.parse(await called.body.text());
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  await dispatcher.close();
}

async function indexCommand(url: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'stxpress-bench-'));
  try {
    const list = join(folder, 'contracts.txt');
    writeFileSync(list, ids.join('\n'));
    const args = [
      'index',
      '--db',
      join(folder, 'index.sqlite'),
      '--api-url',
      url,
      '--contracts',
      list,
      '--concurrency',
      String(concurrency),
      '--no-vm',
      '--quiet',
    ];
    return await timed([ENTRY, ...args], folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds from the start of a process to its end. */
async function timed(args: readonly string[], cwd: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd, stdio: 'inherit' });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`${args[0]} ended with status ${status}`);
  return performance.now() - startedAt;
}
