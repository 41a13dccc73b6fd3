// Measures indexing from a node, compared with a plain undici loop that makes the same requests. The node runs in a
// separate process. It runs calls in the Clarity VM, as real nodes do, or returns prepared results, to measure only the
// index.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { TOKEN_GETTERS } from '#model/token.ts';
import { type CallResult, chainListener, chainOf } from '../../test/support/chain-listener.ts';
import { TOKEN_INTERFACE } from '../../test/support/interfaces.ts';
import { tokenSource } from '../../test/support/token-source.ts';
import { callInVm } from '../../test/support/vm-node.ts';
import { type Bench, baseline } from './bench.ts';
import { compare, type Figure, type Report } from './figures.ts';
import { stxpress } from './measure.ts';

const SELF = fileURLToPath(import.meta.url);
const CONCURRENCY = 16;
/** The median size of a source on mainnet. */
const SOURCE_BYTES = 4_500;
/** The kinds of nodes. The node with prepared results has a figure without a target. */
const NODES = {
  'clarity-vm': { what: 'a node that runs calls in the VM', target: { times: 1.4 } },
  'at-once': { what: 'a node that responds immediately', target: 'stated, without a target' },
} as const;

export async function fetchFromNode(bench: Bench): Promise<Report> {
  const ids = idsOf(bench.isJudged ? 1_000 : 50);
  const list = bench.path('contracts.txt');
  writeFileSync(list, ids.join('\n'));
  const figures: Figure[] = [];
  for (const [node, { what, target }] of Object.entries(NODES)) {
    using child = fork(SELF, [node, String(ids.length)]);
    const [port] = (await once(child, 'message')) as [number];
    const url = `http://127.0.0.1:${port}`;
    const options = ['--api-url', url, '--contracts', list, '--concurrency', String(CONCURRENCY), '--no-vm'];
    const figure = await compare(Math.min(bench.rounds, 3), {
      what: `${ids.length * (1 + TOKEN_GETTERS.length)} requests to ${what}`,
      run: (round) => stxpress('index', '--db', bench.path(`${node}-${round}.sqlite`), ...options),
      baseline: 'bare undici',
      runBaseline: () => baseline('fetch', url, list, CONCURRENCY),
      target,
    });
    figures.push(figure);
  }
  return { input: `${ids.length} tokens of a node, ${CONCURRENCY} requests at once`, figures };
}

function idsOf(tokens: number): string[] {
  return Array.from({ length: tokens }, (_, index) => `SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B.token-${index}`);
}

/** Runs a node, and sends its port to the parent process. */
async function serveNode(kind: string, ids: readonly string[]): Promise<void> {
  const sourceCode = `;; ${'x'.repeat(SOURCE_BYTES)}\n${tokenSource()}`;
  const canned = new Map<string, CallResult>();
  for (const getter of TOKEN_GETTERS) canned.set(getter, await callInVm(ids[0] as string, sourceCode, getter));
  // Calls each contract once. The first call also deploys the contract, so it must not be timed.
  if (kind === 'clarity-vm') for (const id of ids) await callInVm(id, sourceCode, 'get-name');
  const contracts = ids.map((contractId) => ({
    contractId,
    sourceCode,
    abi: TOKEN_INTERFACE,
    call: (name: string) =>
      kind === 'clarity-vm' ? callInVm(contractId, sourceCode, name) : (canned.get(name) as CallResult),
  }));
  const server = createServer(chainListener(chainOf(contracts))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port);
}

if (import.meta.main) {
  const [kind = '', tokens] = process.argv.slice(2);
  await serveNode(kind, idsOf(Number(tokens)));
}
