// This script writes an event archive with blocks like mainnet's: node scripts/bench/make-blocks.ts FILE [--blocks N]
// [--signers N] [--with-calls]
// Each block has a transfer of STX, which an index does not store, and the signatures of its signers; 90 blocks share a
// burn block. `--with-calls` adds a call that writes a map to each block. Its output is deterministic.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { c32address } from 'c32check';
import { EMPTY_INTERFACE } from '../../test/support/interfaces.ts';
import { unsignedDeploy } from '../unsigned-deploy.ts';
import { callPayload, u32, unsignedTransaction } from '../unsigned-transaction.ts';
import { blockOf, hash, jsonb, type Transacted } from './observed-block.ts';
import { principal, uint } from './observed-value.ts';

const BLOCKS_PER_BURN_BLOCK = 90;
const USERS = 10_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    blocks: { type: 'string', default: '1000000' },
    signers: { type: 'string', default: '30' },
    'with-calls': { type: 'boolean', default: false },
  },
});
const [file] = positionals;
const [blocks, signers] = [Number(values.blocks), Number(values.signers)];
if (file === undefined || !(blocks > 0) || !(signers >= 0)) {
  console.error('usage: node scripts/bench/make-blocks.ts FILE [--blocks N] [--signers N] [--with-calls]');
  process.exit(1);
}

const addressOf = (user: number) => c32address(22, hash(`user ${user % USERS}`).slice(0, 40));
const users = Array.from({ length: USERS }, (_, user) => addressOf(user));
const registry = `${users[0]}.registry`;
const source = `(define-map names principal uint)
(define-public (register (name uint) (who principal)) (ok (map-set names who name)))`;

function transactionsAt(height: number): Transacted[] {
  const [from, to] = [users[height % USERS] as string, users[(height + 1) % USERS] as string];
  const transfer = Buffer.concat([Buffer.from([0]), principal(to).bytes, u32(0), u32(1 + height), Buffer.alloc(34)]);
  const register = callPayload(registry, 'register', uint(height).bytes, principal(to).bytes);
  const payloads = values['with-calls'] ? [transfer, register] : [transfer];
  const transactions = payloads.map((payload) => unsignedTransaction(from, payload));
  const deploys = values['with-calls'] && height === 1 ? [unsignedDeploy(registry, source, 0, EMPTY_INTERFACE)] : [];
  return [...deploys, ...transactions].map((transaction, place) => ({
    transaction,
    events: [],
    place,
    isFailed: false,
  }));
}

function* lines(): Generator<string> {
  for (let height = 1; height <= blocks; height++) {
    const options = { signers, blocksPerBurnBlock: BLOCKS_PER_BURN_BLOCK };
    const block = blockOf(height, transactionsAt(height), users[height % USERS] as string, options);
    yield `${height}\t2024-06-14 00:00:00.000000+00\t/new_block\t${jsonb(block).replaceAll('\\', '\\\\')}\n`;
  }
}

await writeFile(file, lines());
