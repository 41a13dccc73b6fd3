// Checks that patterns.txt has an entry with the maximum input length for each regular expression of src. Also searches
// texts of this length that are hard for the expression, in limited time.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { hardTexts, patternsOf } from './syntax.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The file with an entry for each expression. It also describes the format of the entries. */
const ENTRIES = join(import.meta.dirname, 'patterns.txt');
const LIMITS: Readonly<Record<string, number>> = { OWN: 500, AMOUNT: 300, HEADERS: 16_384, ANY: 100_000 };
const MAX_LENGTH = 100_000;
const MAX_MS = 1_000;
/** The maximum duration of a search. It exceeds the limit of CPU time, since the machine may be busy. */
const TIMEOUT_MS = 3_000;

/** Searches all matches in a text. Throws if the search takes too long. */
function search(pattern: RegExp, text: string): void {
  const before = process.cpuUsage();
  const all = new RegExp(pattern.source, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`);
  const context = { all, pattern, text, isAll: pattern.global };
  try {
    runInNewContext('isAll ? text.replaceAll(all, "") : pattern.test(text)', context, { timeout: TIMEOUT_MS });
  } catch (error) {
    throw new Error(`${pattern} does not end for ${JSON.stringify(text.slice(0, 40))}…`, { cause: error });
  }
  const { user } = process.cpuUsage(before);
  expect(user / 1000, `${pattern} on ${JSON.stringify(text.slice(0, 40))}…`).toBeLessThan(MAX_MS);
}

interface Entry {
  readonly length: number;
  /** An example of the expression, if the source file composes the expression of parts; otherwise undefined. */
  readonly instance: RegExp | undefined;
}

/** The entries of patterns.txt. A key is the file and the text of the expression. */
const entries = new Map<string, Entry>();
for (const line of readFileSync(ENTRIES, 'utf8').split('\n')) {
  const [, limit = '', key = '', source, flags] = /^([A-Z]+) (.*?)(?: => \/(.*)\/([a-z]*))?$/.exec(line) ?? [];
  const length = LIMITS[limit];
  const instance = source === undefined ? undefined : new RegExp(source, flags);
  if (length !== undefined) entries.set(key, { length, instance });
}

const files = globSync('src/**/*.{ts,tsx,js}', { cwd: ROOT }).sort();
const found = files.flatMap((file) =>
  [...patternsOf(readFileSync(join(ROOT, file), 'utf8'), file.endsWith('x'))].map(({ text, pattern }) => {
    const key = `${file.slice('src/'.length)} ${text}`;
    return { file, key, pattern: pattern ?? entries.get(key)?.instance };
  }),
);

test('behavior: has an entry for every pattern, and a pattern for every entry', () => {
  const keys = new Set(found.filter(({ pattern }) => pattern !== undefined).map(({ key }) => key));
  expect(new Set(found.map(({ key }) => key)), 'patterns without an entry in patterns.txt').toEqual(keys);
  expect(new Set(entries.keys()), 'entries of patterns.txt').toEqual(keys);
});

test.each([...Map.groupBy(found, ({ file }) => file)])(
  'behavior: searches hard texts in little time: %s',
  (_, patterns) => {
    for (const { key, pattern } of patterns) {
      const { length = MAX_LENGTH } = entries.get(key) ?? {};
      if (pattern !== undefined) for (const text of hardTexts(pattern, length)) search(pattern, text);
    }
  },
);

test.each([/=+$/, /a*b/, /^(?:\s|;[^\n]*)+\(/, /^x{3}(?:a+)+$/])(
  'behavior: reports that %s takes too long',
  (pattern) => {
    const length = pattern.source.includes('(?:') ? 40 : MAX_LENGTH;
    const run = () => {
      for (const text of hardTexts(pattern, length)) search(pattern, text);
    };
    expect(run).toThrow(String(pattern));
  },
);
