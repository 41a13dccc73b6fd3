import { expect, test } from 'vitest';
import { heightsOf, interfacesOf, readToEnd, writeArchive } from '../../support/archives.ts';
import { EMPTY_INTERFACE } from '../../support/interfaces.ts';
import { blockLine, deployJson, type Form, line, microblocksJson, mintEvent } from '../../support/transactions.ts';

const deploy = deployJson('a', '(print "\\"")');
/** Returns a block. Its parent is the block at the height below. */
const block = (height: number, form?: Form) => blockLine({ id: height, parent: height - 1, height }, form);
const burnBlock = line('/new_burn_block', { burn_block_height: 1 });

test('default', async () => {
  const text = burnBlock + block(1) + line('/new_microblocks', microblocksJson(1, [deploy])) + burnBlock + block(2);
  const read = await readToEnd(writeArchive(text));
  expect(read.events.map((event) => event.kind)).toEqual(['block', 'microblocks', 'block']);
  expect(read).toMatchObject({ skipped: 2, broken: [], error: undefined });
  expect(read.position).toMatchObject({ prefixBytes: text.length, nextOffset: text.length, nextLine: 6 });
});

test('reads the same events from COPY and raw JSON', async () => {
  const of = (form: Form) =>
    blockLine(
      {
        id: 1,
        parent: 0,
        height: 1,
        transactions: [
          {
            ...deploy,
            contract_interface: { ...EMPTY_INTERFACE, maps: [{ name: '"\\\n\t\0€', key: 'bool', value: 'bool' }] },
          },
        ],
        events: [mintEvent(deploy.txid, 'a.b::"\\n', '5')],
      },
      form,
    );
  const copy = await readToEnd(writeArchive(of('copy')));
  expect(interfacesOf(copy.events)).toMatchObject([{ maps: [{ name: '"\\\n\t\0€' }] }]);
  expect(copy.events).toMatchObject([{ supplyChanges: [{ assetIdentifier: 'a.b::"\\n' }] }]);
  expect((await readToEnd(writeArchive(of('raw')))).events).toEqual(copy.events);
});

test.each(['contract_interface', 'contract_abi'])('reads the interface in %s, as an object or text', async (key) => {
  const { contract_interface: _, ...transaction } = deploy;
  for (const value of [EMPTY_INTERFACE, JSON.stringify(EMPTY_INTERFACE)]) {
    const text = blockLine({ id: 1, parent: 0, height: 1, transactions: [{ ...transaction, [key]: value }] });
    expect(interfacesOf((await readToEnd(writeArchive(text))).events)).toEqual([EMPTY_INTERFACE]);
  }
});

test.each([
  ['blank lines', `${block(1)}\n\n${block(2)}\n`, 6],
  ['the end of a COPY', `${block(1)}${block(2)}\\.\n\n`, 5],
  ['a last line without its newline', (block(1) + block(2)).slice(0, -1), 2],
  ['the end of a COPY without its newline', `${block(1)}${block(2)}\\.`, 3],
])('reads an archive with %s', async (_, text, nextLine) => {
  const read = await readToEnd(writeArchive(text));
  expect(heightsOf(read.events)).toEqual([1, 2]);
  expect(read.error).toBeUndefined();
  expect(read.position).toMatchObject({ nextLine, nextOffset: text.length });
});

const utf8 = Buffer.from(block(2));
utf8[utf8.length - 4] = 0xff;
const brokenLines: [string, string | Buffer, string][] = [
  ['truncated JSON', `${block(2).slice(0, -9)}\n`, 'the JSON is invalid or truncated'],
  ['a missing column', '2\tno\n', 'four columns are expected'],
  ['bytes that are not UTF-8', utf8, 'the JSON is not UTF-8'],
  ['a block without hashes', line('/new_block', { block_height: 2 }), 'is not a'],
];

test.each(brokenLines)('reports archive-line-broken for %s', async (_, broken, reason) => {
  const path = writeArchive(
    Buffer.concat([Buffer.from(block(1) + burnBlock), Buffer.from(broken), Buffer.from(block(3))]),
  );
  const read = await readToEnd(path);
  const offset = block(1).length + burnBlock.length;
  expect(read.error?.failure.code).toBe('archive-line-broken');
  expect(read.error?.message).toContain(`${path}, line 3 (byte ${offset}): `);
  expect(read.error?.message).toContain(reason);
  expect(heightsOf(read.events)).toEqual([1]);
  expect(read.skipped).toBe(1);
  expect(read.position).toMatchObject({ nextLine: 3, nextOffset: offset });

  const skipped = await readToEnd(path, { known: [read.position], skipBroken: true });
  expect(skipped).toMatchObject({ resumedAtLine: 3, error: undefined });
  expect(skipped.broken).toEqual([expect.stringContaining(reason)]);
  expect(heightsOf(skipped.events)).toEqual([3]);
});

test('continues an incomplete line of another path', async () => {
  const whole = block(1) + burnBlock;
  const half = await readToEnd(writeArchive(whole.slice(0, -5)));
  const rest = await readToEnd(writeArchive(whole + block(2)), { known: [half.position] });
  expect(rest.error).toBeUndefined();
  expect(heightsOf(rest.events)).toEqual([2]);
  expect(half.skipped + rest.skipped).toBe(1);
});

test.each([
  ['archive-not-an-archive', 'an empty file', ''],
  ['archive-not-an-archive', 'JSON', '{"a":1}\n'],
  ['archive-not-an-archive', 'another table', '1\ta\tb\tc\n'],
  ['archive-not-an-archive', 'random bytes', Buffer.alloc(3_000_000, 1)],
])('%s for %s', async (code, _, content) => {
  const path = writeArchive(content);
  const { error, position } = await readToEnd(path);
  expect(error?.failure.code).toBe(code);
  expect(error?.message).toContain(path);
  expect(position).toBeUndefined();
});
