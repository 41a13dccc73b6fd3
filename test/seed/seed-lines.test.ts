// Tests that a reader accepts only lines that the program writes: for each member of each kind of line, it refuses a
// line without the member, and lines with values of other types, lengths and sizes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { eventReader } from '#source/event-archive/event-reader.ts';
import { parseBlock } from '#source/event-archive/parse-block.ts';
import { SAMPLE_ARCHIVE, sampleIndex } from '../support/sample.ts';
import { seedOf } from '../support/seeds.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';

/** Members that an honest line may lack. */
const OPTIONAL =
  /^(contract_interface|burn_block_time|tenure_height|sees_own_burn_block|transaction_count|microblock_sequence)$/;
/** Members with a fixed length, or whose content is proven. */
const FIXED = /^(txid|raw_tx|outcome|event_digests|.*_hash|index_block_hashes)$/;

const db = sampleIndex();
const out = join(tempFolderForFile(), 'seed');
let lines: string[] = [];
beforeAll(async () => {
  await seedOf({ db, archives: [SAMPLE_ARCHIVE], out });
  const parts = readdirSync(out).filter((name) => name.endsWith('.zst'));
  lines = parts.flatMap((name) =>
    zstdDecompressSync(readFileSync(join(out, name)))
      .toString()
      .split(/(?<=\n)/),
  );
});

/** Returns the reason why a part with this text is refused; undefined if it is accepted. */
function refusal(text: string): string | undefined {
  const task = { bytes: new Uint8Array(Buffer.from(text)), form: 'raw', skipBroken: false, isSeed: true } as const;
  return parseBlock(task, eventReader(true)).stoppedAt?.reason;
}

type Json = Record<string, unknown>;

/** Yields the objects in a value, except in interfaces, whose content is compared with the source. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const [key, inner] of Object.entries(value)) if (key !== 'contract_interface') yield* objectsIn(inner);
}

/** Returns invalid values of a member. */
function invalidValues(key: string, value: unknown): unknown[] {
  if (key === 'contract_interface') return [];
  const others = [{}, [], true, 'other', -1, 0.5, 2 ** 53, key === 'event_digests' ? 1 : null];
  const cut =
    typeof value === 'string' && FIXED.test(key) ? [value.slice(0, -2), `${value}00`, value.slice(2), ''] : [];
  // Any text may be the key of an asset or the name of a contract.
  const isText = typeof value === 'string' && !FIXED.test(key);
  return [...others.filter((other) => other !== value && (!isText || typeof other !== 'string')), ...cut];
}

test('accepts the lines of a seed', () => {
  expect(lines.length).toBeGreaterThan(9);
  expect(refusal(lines.join(''))).toBeUndefined();
});

test('refuses a line that lacks a member, or has an invalid one', () => {
  const accepted = new Set<string>();
  const seen = new Set<string>();
  for (const line of lines) {
    const at = line.indexOf('{');
    const json = JSON.parse(line.slice(at)) as Json;
    const write = () => `${line.slice(0, at)}${JSON.stringify(json)}\n`;
    expect(write()).toBe(line);
    for (const object of objectsIn(json))
      for (const [key, value] of Object.entries(object)) {
        seen.add(key);
        for (const other of invalidValues(key, value)) {
          object[key] = other;
          if (refusal(write()) === undefined) accepted.add(`${key}: ${JSON.stringify(other)}`);
        }
        // JSON omits an undefined member, and keeps the order of the other members.
        object[key] = undefined;
        if (!OPTIONAL.test(key) && refusal(write()) === undefined) accepted.add(`without ${key}`);
        object[key] = value;
      }
  }
  // A transaction may be without events.
  expect([...accepted]).toEqual(['events: []']);
  expect([...seen]).toEqual(expect.arrayContaining(['outcome', 'event_digests', 'facts', 'raw_value', 'tx_index']));
});

test.each<[string, (line: string) => string]>([
  ['an empty line', (line) => `\n${line}`],
  ['the end of a COPY', (line) => `${line}\\.\n`],
  ['a space', (line) => line.replace('{', '{ ')],
  ['spaces at the end', (line) => line.replace('\n', '  \n')],
  ['an unknown member', (line) => line.replace('{', '{"comment":"x",')],
  ['a repeated member', (line) => line.replace('{', '{"parent_index_block_hash":"x",')],
  ['an escaped key', (line) => line.replace('"parent', '"\\u0070arent')],
  ['another number', (line) => line.replace(/^\d+/, '99')],
  ['another time', (line) => line.replace('.000Z', '.001Z')],
  ['the form of Postgres', (line) => line.replace('T', ' ').replace('.000Z', '+00')],
  ['another path', (line) => line.replace(/\t\/[^\t]*/, '\t/new_burn_block')],
  ['a carriage return', (line) => line.replace('\n', '\r\n')],
])('refuses a line with %s', (_, change) => {
  for (const line of lines) expect(refusal(change(line))).toBeDefined();
});

test('names a call without an outcome', () => {
  const line = lines.find((text) => text.includes('"outcome"')) ?? '';
  const without = line.replace(/,"outcome":"0x[0-9a-f]+"/, '');
  expect(refusal(without)).toMatch(/^the call "0x[0-9a-f]{64}" lacks its outcome$/);
});
