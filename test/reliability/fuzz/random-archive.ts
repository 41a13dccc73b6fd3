// Generates event archives of consecutive blocks in both formats, and edits of their lines.
import { Cl } from '@stacks/transactions';
import fc from 'fast-check';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import {
  ADDRESS,
  blockJson,
  burnEvent,
  callPayload,
  deployJson,
  type Form,
  type Json,
  line,
  microblocksJson,
  mintEvent,
  notificationOf,
  transactionJson,
  valueBytes,
} from '../../support/transactions.ts';
import { type Edit, jsonEdit } from './edits.ts';

/** A map whose name needs escapes and has multi-byte characters, to test unescaping. */
const MAP = { name: '"\\\n\t€😀'.repeat(10), key: 'bool', value: 'bool' };
const TRANSACTIONS: readonly Json[] = [
  deployJson('a', '(print "\\"€\\n")', { interface: { ...TOKEN_INTERFACE, maps: [MAP] } }),
  deployJson('b', '(ok 1)', { clarityVersion: 3, interface: JSON.stringify(TOKEN_INTERFACE) }),
  deployJson('failed', '(err 1)', { status: 'abort_by_response' }),
  transactionJson(callPayload(`${ADDRESS}.a`, 'call', valueBytes(Cl.list([Cl.uint(1)])))),
  { txid: '0x00', raw_tx: '0x00', status: 'success' },
];
const NOTIFICATIONS = [notificationOf(`${ADDRESS}.a`, 1), notificationOf(`${ADDRESS}.a`, 2, 'dynamic', 60)];
const OTHER_LINES = [line('/new_burn_block', {}), line('/drop_mempool_tx', { a: ['\\'] }), '\\.\n', '\n'];
const MEMBERS = ['"transactions":[]', '"events":[null]', '"block_height":7', '"block_height":[]', '"__proto__":{}'];
const PAYLOADS = ['', '\\N', '{}', '[]', 'null', '{"transactions":', '1', '"\\\\u0000"', '\ufeff{}', '{"a":1[][][]'];
/** Texts with a meaning in archives, which edits insert. */
export const ARCHIVE_TOKENS = [
  ...MEMBERS.map((member) => `,${member}`),
  ...['\t', '\n', '\r', '\\', '\\\\', '\\n', '\0', '"', '\\"', ' ', '\u00a0', '\v', '\u00c3\\\u00a9'],
  ...['ff', 'c3', 'e282', 'eda080', 'f09f5c9880'].map((hex) => Buffer.from(hex, 'hex')),
  ...['[]', '{}', '0,', '[', '\\\\', '\\.\n', '\r\n', '\\N', '"transactions":['],
];

const block = fc.record({
  transactions: fc.subarray([...TRANSACTIONS], { maxLength: 3 }),
  makers: fc.array(fc.constantFrom(mintEvent, burnEvent), { maxLength: 3 }),
  notification: fc.option(fc.constantFrom(...NOTIFICATIONS)),
  hasTime: fc.boolean(),
});
const content = fc.oneof(
  { weight: 4, arbitrary: block.map((fields) => ({ path: '/new_block', ...fields })) },
  { weight: 1, arbitrary: block.map((fields) => ({ path: '/new_microblocks', ...fields })) },
  { weight: 1, arbitrary: fc.constantFrom(...OTHER_LINES) },
);

/** Generates archives of consecutive blocks. */
export const archiveOf = (maxLength: number): fc.Arbitrary<Buffer> =>
  fc.tuple(fc.constantFrom<Form>('copy', 'raw'), fc.array(content, { maxLength })).map(([form, contents]) => {
    const lines = contents.map((item, height) => (typeof item === 'string' ? item : blockOf(item, height, form)));
    return Buffer.from(line('/new_burn_block', {}, form) + lines.join(''));
  });

type Content = Exclude<typeof content extends fc.Arbitrary<infer T> ? T : never, string>;

function blockOf({ path, transactions, makers, notification, hasTime }: Content, height: number, form: Form): string {
  if (path === '/new_microblocks') return line(path, microblocksJson(height, transactions), form);
  const events = makers.map((make) => make(transactions[0]?.txid ?? '', `${ADDRESS}.a::coin`, '5'));
  const notified = notification === null ? [] : [notification];
  const json = {
    ...blockJson({
      ...{ id: height, parent: height - 1, height },
      transactions: [...transactions, ...notified.map(({ transaction }) => transaction)],
      events: [...events, ...notified.map(({ event }) => event)],
    }),
    matured_miner_rewards: [[1, '€'], {}],
    ...(hasTime ? { burn_block_time: 1_700_000_000 } : {}),
  };
  return line(path, json, form);
}

/** An edit of an archive's lines: moves, copies or removes a line, or replaces a column. Or an edit of its JSON. */
export const archiveEdit: fc.Arbitrary<Edit> = fc.oneof(
  jsonEdit,
  fc
    .tuple(fc.nat(), fc.nat(), fc.nat(3), fc.option(fc.constantFrom(...PAYLOADS, '/new_block', '2024T')), fc.nat(1))
    .map(([from, to, column, payload, removed]) => (input: Buffer) => {
      const lines = input.toString('latin1').split('\n');
      const at = from % lines.length;
      const columns = (lines[at] ?? '').split('\t');
      const text =
        payload === null || columns[column] === undefined ? lines[at] : columns.with(column, payload).join('\t');
      return Buffer.from(
        lines
          .toSpliced(at, removed)
          .toSpliced(to % lines.length, 0, text ?? '')
          .join('\n'),
        'latin1',
      );
    }),
);
