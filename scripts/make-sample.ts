// This script makes the bundled sample chain from data/sample/contracts: signed transactions with their results in the
// Clarity VM, in the form that an observer stores. Its output is deterministic. Usage: npm run make-sample [-- FILE]
import crypto from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Cl } from '@stacks/transactions';
import { blockJson, type Json } from '../test/support/transactions.ts';
import { COLLECTOR, type Executed, MINER, NEW, OLD, openChain, PRESSER, transactionOf } from './sample-vm.ts';

const OUTPUT = process.argv[2] ?? fileURLToPath(new URL('../data/sample/chain.tsv', import.meta.url));

/** Returns a logo of 32 by 32 pixels. */
const svg = (paths: string) => `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${paths}</svg>`;
const LABEL = svg("<path fill='#2f6b2f' d='M0 0h32v32H0z'/><path fill='#fff' d='M6 9h12l8 7-8 7H6z'/>");
const SHEET = svg("<path fill='#5b3f8c' d='M0 0h32v32H0z'/><path fill='#fff' d='M9 5h14v22H9z'/>");
const OFFICE = svg("<path fill='#0b6285' d='M0 0h32v32H0z'/><path fill='#fff' d='M9 6h14v20h-5v-5h-4v5H9z'/>");

function hash(label: string): string {
  return `0x${crypto.hash('sha512-256', `stxpress sample ${label}`)}`;
}

const lines: string[] = [];

/** Adds a line to the archive: `id \t timestamp \t path \t JSON` in the text form of a Postgres COPY. */
function add(path: string, payload: Json): void {
  const id = lines.length + 1;
  const timestamp = `2024-01-01 00:${String(id).padStart(2, '0')}:00.000000+00`;
  lines.push(`${id}\t${timestamp}\t${path}\t${JSON.stringify(payload).replaceAll('\\', '\\\\')}\n`);
}

const FIRST_BURN_HEIGHT = 100;

/** Adds a block. `fork` distinguishes blocks of the same height. No later block has a parent with a `fork`. */
function block(height: number, executed: readonly Executed[], fork = ''): void {
  const burnBlock = { burn_block_hash: hash(`burn block ${height}`), burn_block_height: FIRST_BURN_HEIGHT + height };
  add('/new_burn_block', { ...burnBlock, burn_amount: 0, reward_recipients: [], reward_slot_holders: [] });
  const coinbase = transactionOf(MINER, Buffer.from([4, ...Buffer.alloc(32)]));
  const genesis = height === 0;
  const events = executed.flatMap(({ events }) => events);
  const block = blockJson({
    height,
    burnHeight: FIRST_BURN_HEIGHT + height,
    burnTime: 1_704_067_200 + height * 600,
    fields: {
      block_hash: hash(`block ${height}${fork}`),
      index_block_hash: hash(`index block ${height}${fork}`),
      parent_index_block_hash: genesis ? `0x${'ff'.repeat(32)}` : hash(`index block ${height - 1}`),
      parent_block_hash: genesis ? `0x${'00'.repeat(32)}` : hash(`block ${height - 1}`),
      parent_microblock: `0x${'00'.repeat(32)}`,
      parent_microblock_sequence: 0,
      ...burnBlock,
      burn_block_time: undefined,
      miner_txid: hash(`miner ${height}`),
      matured_miner_rewards: [],
    },
    events: events.map((event, event_index) => ({ ...event, event_index })),
    transactions: [...(genesis ? [] : [coinbase]), ...executed.map(({ transaction }) => transaction)],
  });
  add('/new_block', block);
}

/** Returns a metadata document as a data: URI. */
function document(name: string, description: string, svg?: string): string {
  const image = svg === undefined ? undefined : `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return `data:application/json,${encodeURIComponent(JSON.stringify({ sip: 16, name, description, image }))}`;
}

const chain = await openChain();
const press = `${PRESSER.address}.press-token`;
const wholeToken = `${PRESSER.address}.whole-token`;

block(0, []);
block(1, [chain.deploy(PRESSER, 'sip-010-trait', OLD)]);
block(2, [chain.deploy(PRESSER, 'press-token', OLD), chain.deploy(PRESSER, 'whole-token', OLD)]);
block(3, [
  chain.deploy(COLLECTOR, 'wrapped-token', OLD),
  chain.deploy(COLLECTOR, 'stamp-nft', OLD),
  chain.deploy(COLLECTOR, 'sheet-sft', OLD),
  chain.call(PRESSER, press, 'mint', [Cl.uint(500_000), Cl.principal(COLLECTOR.address)]),
  // The sender is not the owner, so the transaction fails and does not mint.
  chain.call(COLLECTOR, press, 'mint', [Cl.uint(7), Cl.principal(COLLECTOR.address)]),
]);
block(4, [
  chain.deploy(PRESSER, 'every-type', OLD),
  chain.deploy(PRESSER, 'second-try-failed', OLD, { name: 'second-try', fails: true }),
]);

// A fork: two blocks have height 5. The first is orphaned when the second gets a child, so mints of the first do not
// count.
const orphaned = await openChain();
orphaned.deploy({ ...PRESSER }, 'sip-010-trait', OLD);
orphaned.deploy({ ...PRESSER }, 'press-token', OLD);
const onOrphan = { ...PRESSER };
block(
  5,
  [
    orphaned.deploy(onOrphan, 'orphan', NEW),
    orphaned.call(onOrphan, press, 'mint', [Cl.uint(9_999), Cl.principal(PRESSER.address)]),
  ],
  'a',
);
block(5, [chain.deploy(PRESSER, 'paid-token', NEW)]);
block(6, [
  chain.deploy(PRESSER, 'pending-token', NEW),
  chain.deploy(PRESSER, 'silent-token', NEW),
  chain.call(COLLECTOR, press, 'burn', [Cl.uint(250_000)]),
  // Tokens that change after their deploys.
  chain.deploy(PRESSER, 'relabelled-token', NEW),
  chain.deploy(PRESSER, 'office-token', NEW),
  chain.deploy(PRESSER, 'office', NEW),
  chain.deploy(PRESSER, 'drifting-token', NEW),
]);
const stamps = `${COLLECTOR.address}.stamp-nft`;
const sheets = `${COLLECTOR.address}.sheet-sft`;
block(7, [
  ...[0n, 1n, 2n, 2n ** 128n - 1n].map((number) => chain.call(COLLECTOR, stamps, 'issue', [Cl.uint(number)])),
  chain.call(COLLECTOR, stamps, 'shred', [Cl.uint(2)]),
  chain.call(COLLECTOR, sheets, 'run-off', [
    Cl.uint(1),
    Cl.uint(50),
    Cl.stringAscii(document('Sheet of fifty', 'Fifty of one kind.', SHEET)),
  ]),
  chain.call(COLLECTOR, sheets, 'run-off', [
    Cl.uint(7),
    Cl.uint(1),
    Cl.stringAscii('https://sheets.example/{id}.json'),
  ]),
  chain.deploy(PRESSER, 'second-try', NEW),
  chain.call(PRESSER, wholeToken, 'lock', [Cl.uint(1)]),
  chain.call(PRESSER, press, 'announce', []),
  chain.call(PRESSER, `${PRESSER.address}.relabelled-token`, 'relabel', [
    Cl.stringAscii('New Label'),
    Cl.stringUtf8(document('New Label', 'It was named by a call after its deploy.', LABEL)),
  ]),
  chain.call(PRESSER, `${PRESSER.address}.office-token`, 'set-owner', [
    Cl.contractPrincipal(PRESSER.address, 'office'),
  ]),
  chain.call(COLLECTOR, `${PRESSER.address}.office`, 'publish', [
    Cl.stringUtf8(document('Office Token', 'Its URI was set through another contract.', OFFICE)),
  ]),
  chain.call(
    PRESSER,
    `${PRESSER.address}.drifting-token`,
    'drift',
    [Cl.stringUtf8(document('Drifting Token', 'Nobody without the chain can prove this.'))],
    Cl.ok(Cl.uint(FIRST_BURN_HEIGHT + 7)),
  ),
]);

const { transaction } = chain.deploy(COLLECTOR, 'unconfirmed', NEW);
add('/new_microblocks', {
  parent_index_block_hash: hash('index block 7'),
  burn_block_hash: hash('burn block 7'),
  burn_block_height: FIRST_BURN_HEIGHT + 7,
  burn_block_timestamp: 1_704_067_200 + 7 * 600,
  events: [],
  transactions: [
    {
      ...transaction,
      microblock_hash: hash('microblock 7.0'),
      microblock_sequence: 0,
      microblock_parent_hash: hash('block 7'),
    },
  ],
});

const archive = lines.join('');
writeFileSync(OUTPUT, archive);
console.log(`${OUTPUT}: ${archive.length} bytes`);
