// Makes event archives of consecutive blocks in both formats, and mutates their lines.
import { Cl } from '@stacks/transactions';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import type { Random } from '../../support/random.ts';
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
import { mutateJson } from './mutate-json.ts';

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
const CHARACTERS = ['\t', '\n', '\r', '\\', '\\\\', '\\n', '\0', '"', '\\"', ' ', '\u00a0', '\v', '\u00c3\\\u00a9'];
const BYTES = ['\xff', '\xc3', '\xe2\x82', '\xed\xa0\x80', '\xf0\x9f\\\x98\x80'];

export function randomArchive(random: Random, maxLines = 5): Buffer {
  const form: Form = random.pick(['copy', 'raw']);
  const lines = random.list(maxLines, (height) => {
    if (random.chance(0.2)) return random.pick(OTHER_LINES);
    const transactions = random.list(3, () => random.pick(TRANSACTIONS));
    if (random.chance(0.15)) return line('/new_microblocks', microblocksJson(height, transactions), form);
    return line('/new_block', randomBlock(random, height, transactions), form);
  });
  return Buffer.from(line('/new_burn_block', {}, form) + lines.join(''));
}

function randomBlock(random: Random, height: number, transactions: Json[]): Json {
  const txid = transactions[0]?.txid ?? '';
  const events = random.list(3, () => random.pick([mintEvent, burnEvent])(txid, `${ADDRESS}.a::coin`, '5'));
  if (random.chance(0.3)) {
    const { transaction, event } = random.pick(NOTIFICATIONS);
    transactions.push(transaction);
    events.push(event);
  }
  return {
    ...blockJson({ id: height, parent: height - 1, height, transactions, events }),
    matured_miner_rewards: [[1, '€'], {}],
    ...(random.chance(0.5) ? { burn_block_time: 1_700_000_000 } : {}),
  };
}

/** Mutates lines of an archive. Handles the bytes as a latin1 string, with one byte per character. */
export function mutateArchive(random: Random, archive: Buffer): Buffer {
  let lines = archive.toString('latin1').split('\n');
  for (let left = 1 + random.below(Math.max(3, lines.length)); left > 0; left--) lines = mutateLines(random, lines);
  return Buffer.from(lines.join('\n'), 'latin1');
}

function mutateLines(random: Random, lines: readonly string[]): string[] {
  const at = random.below(lines.length);
  const other = random.below(lines.length);
  const text = lines[at] ?? '';
  const by = (...replacement: string[]) => lines.toSpliced(at, 1, ...replacement);
  const changeJson = () => by(withColumn(text, 3, (json) => mutateColumn(random, json)));
  return random.pick([
    () => by(),
    () => lines.toSpliced(other, 0, text),
    () => by(lines[other] ?? '').with(other, text),
    () => by(text.slice(0, random.below(text.length + 1))),
    () => by(withColumn(text, random.below(4), () => random.pick([...PAYLOADS, '/new_block', '2024T']))),
    () => by(text.replace(/\}(?=[^}]*$)/, () => `,${random.pick(MEMBERS)}}`)),
    () => by(insert(random, text, random.pick([...CHARACTERS, ...BYTES]))),
    () => by(insert(random, text, random.pick(['[]', '{}', '0,', '[', '\\\\']).repeat(random.length(3_000)))),
    changeJson,
    changeJson,
    changeJson,
  ])();
}

/**
 * Mutates the JSON of an archive column. Removes the escapes of COPY before the mutation, and adds them again after it.
 */
function mutateColumn(random: Random, json: string): string {
  const isCopy = json.includes('\\\\');
  const plain = Buffer.from(isCopy ? json.replaceAll('\\\\', '\\') : json, 'latin1').toString();
  const mutated = Buffer.from(mutateJson(random, plain)).toString('latin1').replaceAll('\n', ' ');
  return isCopy ? mutated.replaceAll('\\', '\\\\') : mutated;
}

function withColumn(text: string, column: number, change: (old: string) => string): string {
  const columns = text.split('\t');
  return columns[column] === undefined ? text : columns.with(column, change(columns[column])).join('\t');
}

function insert(random: Random, text: string, inserted: string): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + inserted + text.slice(at);
}
