// This script measures indexing from a node: node scripts/bench/fetch.ts [TOKENS] [CONCURRENCY]
// In one run it times a bare undici loop that makes the same requests, and `stxpress index`, both against a server in a process of its own.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Cl } from '@stacks/transactions';
import { Agent, request } from 'undici';
import { TOKEN_GETTERS } from '#model/token.ts';
import { chainListener, chainOf } from '../../test/support/chain-listener.ts';
import { TOKEN_INTERFACE } from '../../test/support/interfaces.ts';

const ENTRY = fileURLToPath(new URL('../../bin/stxpress.mjs', import.meta.url));
const TARGET = 0.7;
const ROUNDS = 3;
/** Mainnet's median. */
const SOURCE_BYTES = 4_500;

const [tokensText = '2000', concurrencyText = '16'] = process.argv.slice(2);
const concurrency = Number(concurrencyText);
const ids = Array.from(
  { length: Number(tokensText) },
  (_, index) => `SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B.token-${index}`,
);

if (process.send !== undefined) await serve();
else await measure();

/** The server, in the child process. */
async function serve(): Promise<void> {
  const results: Readonly<Record<string, string>> = {
    'get-name': Cl.serialize(Cl.ok(Cl.stringAscii('Bench'))),
    'get-symbol': Cl.serialize(Cl.ok(Cl.stringAscii('BNC'))),
    'get-decimals': Cl.serialize(Cl.ok(Cl.uint(6))),
    'get-total-supply': Cl.serialize(Cl.ok(Cl.uint(1_000_000))),
    'get-token-uri': Cl.serialize(Cl.ok(Cl.none())),
  };
  const sourceCode = `;; ${'x'.repeat(SOURCE_BYTES)}`;
  const call = (name: string) => ({ result: `0x${results[name]}` });
  const chain = chainOf(ids.map((contractId) => ({ contractId, sourceCode, abi: TOKEN_INTERFACE, call })));
  const server = createServer(chainListener(chain)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port);
}

async function measure(): Promise<void> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), process.argv.slice(2));
  const [port] = (await once(child, 'message')) as [number];
  const url = `http://127.0.0.1:${port}`;
  try {
    const ratios: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const bareMs = await bareLoop(url);
      const indexMs = await indexCommand(url);
      ratios.push(bareMs / indexMs);
      const requests = ids.length * (1 + TOKEN_GETTERS.length);
      const rate = (ms: number) => `${Math.round(requests / (ms / 1000))} requests a second`;
      console.log(
        `round ${round}: ${requests} requests; bare undici ${rate(bareMs)}, stxpress index ${rate(indexMs)}, ratio ${(bareMs / indexMs).toFixed(2)}`,
      );
    }
    const median = ratios.sort((left, right) => left - right)[ROUNDS >> 1] ?? 0;
    console.log(
      JSON.stringify({
        bench: 'fetch',
        tokens: ids.length,
        concurrency,
        ratio: Number(median.toFixed(2)),
        target: TARGET,
      }),
    );
    process.exitCode = median >= TARGET ? 0 : 1;
  } finally {
    child.kill();
  }
}

/** Every request of the run, so many at once, each answer read and parsed. */
async function bareLoop(url: string): Promise<number> {
  const dispatcher = new Agent({ connections: concurrency });
  const startedAt = performance.now();
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
  const ms = performance.now() - startedAt;
  await dispatcher.close();
  return ms;
}

/** The whole command, its start included. */
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
    const startedAt = performance.now();
    const child = spawn(process.execPath, [ENTRY, ...args], { cwd: folder, stdio: 'inherit' });
    const [status] = (await once(child, 'close')) as [number | null];
    if (status !== 0) throw new Error(`index ended with status ${status}`);
    return performance.now() - startedAt;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
