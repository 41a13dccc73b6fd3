import { expect, test } from 'vitest';
import { heightsOf, readToEnd, writeArchive } from '../../support/archives.ts';
import { EMPTY_INTERFACE } from '../../support/interfaces.ts';
import { blockJson, blockLine, deployJson, line, mintEvent } from '../../support/transactions.ts';

/** The size of the chunks in which a file is read, or a multiple of it. Longer lines are parsed in pieces. */
const CHUNK_BYTES = 1 << 20;
/** Text that needs escapes and has multibyte characters, so that chunks end in the middle of them. */
const PATTERN = '\\"€\n😀[{,:}]';
/** The length of {@link PATTERN} in a COPY file, in bytes. */
const PATTERN_BYTES = 24;
const first = blockLine({ id: 0, parent: 'none', height: 0 });
const last = blockLine({ id: 2, parent: 1, height: 2 }, 'copy');
const deploy = deployJson('a', '(print 1)');

/** Returns block 1 with a name of about `bytes` bytes. A lost byte would change the name. */
function longBlock(bytes: number) {
  const name = PATTERN.repeat(Math.ceil(bytes / PATTERN_BYTES));
  const contract_interface = { ...EMPTY_INTERFACE, maps: [{ name, key: 'bool', value: 'bool' }] };
  const block = blockJson({ id: 1, parent: 0, height: 1, transactions: [{ ...deploy, contract_interface }] });
  const events = [mintEvent(deploy.txid, 'a.b::c', '5'), mintEvent(deploy.txid, 'a.b::c', '6')];
  return { ...block, matured_miner_rewards: [[[]], {}], metadata: { nested: [1, { two: PATTERN }] }, events };
}

const longLine = () => line('/new_block', longBlock(2_500_000));
const pieces = { maxHeldLineBytes: 1_000 };

// The parsed contents of long lines are compared in test/reliability/fuzz/archive-in-pieces.test.ts.
test.each([
  ['at the beginning of the archive', ''],
  ['after a line that ends with a chunk', paddedLine(CHUNK_BYTES)],
  ['whose columns are in two chunks', paddedLine(CHUNK_BYTES - 5)],
])('reads a long line %s', async (_, before) => {
  const path = writeArchive(before + longLine() + last);
  const read = await readToEnd(path, pieces);
  expect(read.error?.message).toBeUndefined();
  expect(heightsOf(read.events)).toEqual([1, 2]);
});

test('skips a long line of another path', async () => {
  const read = await readToEnd(writeArchive(first + paddedLine(3_000_000) + last), pieces);
  expect(read).toMatchObject({ skipped: { '/other': 1 }, error: undefined });
  expect(heightsOf(read.events)).toEqual([0, 2]);
});

test('continues a long line that lacked its newline', async () => {
  const { position, events } = await readToEnd(writeArchive((first + longLine()).slice(0, -1)), pieces);
  expect(heightsOf(events)).toEqual([0, 1]);
  const rest = await readToEnd(writeArchive(first + longLine() + last), { ...pieces, known: [position] });
  expect(rest).toMatchObject({ resumedAtLine: 2, error: undefined });
  expect(heightsOf(rest.events)).toEqual([2]);
});

const notUtf8 = Buffer.from(longLine());
notUtf8[2_000_001] = 0xff;
test.each([
  ['truncated', `${longLine().slice(0, -30)}\n`],
  ['truncated within a string', `${longLine().slice(0, 1_500_000)}\n`],
  ['with text after it', `${longLine().slice(0, -1)}}{"a":1}\n`],
  ['that is not UTF-8', notUtf8],
  ['with a block that lacks its hash', line('/new_block', { ...longBlock(2_500_000), index_block_hash: 'none' })],
  ['with an invalid transaction', line('/new_block', { ...longBlock(2_500_000), transactions: [null] })],
])('reports archive-line-broken for a long line %s, but not for the next', async (_, broken) => {
  const path = writeArchive(Buffer.concat([Buffer.from(first), Buffer.from(broken), Buffer.from(last)]));
  const read = await readToEnd(path, pieces);
  expect(read.error?.failure.code).toBe('archive-line-broken');
  expect(read.error?.message).toContain(`line 2 (byte ${first.length}): `);
  expect(heightsOf(read.events)).toEqual([0]);

  const skipped = await readToEnd(path, { ...pieces, skipBroken: true });
  expect(skipped.broken).toHaveLength(1);
  expect(heightsOf(skipped.events)).toEqual([0, 2]);
  expect(skipped.position).toMatchObject({ nextLine: 4 });
});

test('reports archive-line-broken for an incomplete long line at the end', async () => {
  const half = await readToEnd(writeArchive((first + longLine()).slice(0, -300_000)), {
    ...pieces,
    skipBroken: true,
  });
  expect(half.error?.failure.code).toBe('archive-line-broken');
  const rest = await readToEnd(writeArchive(first + longLine() + last), { ...pieces, known: [half.position] });
  expect(heightsOf([...half.events, ...rest.events])).toEqual([0, 1, 2]);
});

/** Returns a line with `bytes` bytes, including its newline, that has no effect. */
function paddedLine(bytes: number): string {
  const empty = line('/other', '');
  return line('/other', 'x'.repeat(bytes - empty.length));
}
