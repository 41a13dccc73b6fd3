// This script checks the English of comments and documents for habits that need a second reading, and exits with 1 if it
// finds one: node scripts/check-prose.ts. CONTRIBUTING.md has the rules.
import { globSync, readFileSync } from 'node:fs';

interface Habit {
  readonly pattern: RegExp;
  readonly advice: string;
}

/** Habits that occur only in unclear sentences. Others depend on the context, so a reader must find them. */
const HABITS: readonly Habit[] = [
  {
    pattern: /\b(?:whoever|whatever|whichever)\b/i,
    advice: 'Name the person or the thing: "readers", "with any name".',
  },
  { pattern: /\b(?:need not|be it|anew|none of its own)\b/i, advice: 'Use the common words.' },
  { pattern: /\bis (?:called|named|written) so\b/i, advice: 'Say "has this name".' },
  { pattern: /\b(?:is|are) there at all\b|\bas (?:it is|they are) there\b/, advice: 'Say "exists" or "is missing".' },
  { pattern: /\b(?:asked|told|said) (?:of|by) (?:it|them|one)\b/, advice: 'Programs return, report and request.' },
];
/** First words of a comment that leave the reader without a subject. */
const OPENINGS = /^(?:What|Whose|Whom|Those|That of|Of|Not)\b/;

/** Files of other projects, and this file, which names the habits. */
const EXCLUDED = ['**/node_modules/**', 'scripts/check-prose.ts'];
const FILES = ['*.{ts,md}', '{bin,docs,examples,scripts,src,test}/**/*.{ts,tsx,mjs,js,css,md}'];

interface Sentence {
  readonly line: number;
  readonly text: string;
}

let problems = 0;
for (const file of globSync(FILES, { exclude: EXCLUDED }).sort()) {
  const source = readFileSync(file, 'utf8');
  for (const { line, text } of file.endsWith('.md') ? documentLines(source) : commentsOf(source)) {
    const habit = HABITS.find(({ pattern }) => pattern.test(text));
    const isOpening = !file.endsWith('.md') && OPENINGS.test(text);
    if (habit === undefined && !isOpening) continue;
    problems++;
    console.error(
      `${file}:${line}: ${text.slice(0, 100)}\n  ${habit?.advice ?? 'Begin with the subject or the verb.'}`,
    );
  }
}
if (problems > 0) {
  console.error(`${problems} sentences need another wording. CONTRIBUTING.md has the rules.`);
  process.exitCode = 1;
}

/** Yields the comments of a source file, with consecutive line comments joined. */
function* commentsOf(source: string): Generator<Sentence> {
  let open: { line: number; text: string } | undefined;
  for (const [index, row] of source.split('\n').entries()) {
    const [, text] = /^\s*(?:\/\/|\/\*\*?|\*(?!\/))\s?(.*)$/.exec(row) ?? [];
    if (text === undefined) {
      if (open !== undefined) yield open;
      open = undefined;
      continue;
    }
    const plain = text.replace(/\s*\*\/\s*$/, '').trim();
    open = open === undefined ? { line: index + 1, text: plain } : { ...open, text: `${open.text} ${plain}` };
  }
  if (open !== undefined) yield open;
}

/** Yields the lines of a document outside of code blocks, without code and links. */
function* documentLines(source: string): Generator<Sentence> {
  let isCode = false;
  for (const [index, row] of source.split('\n').entries()) {
    if (row.startsWith('```')) isCode = !isCode;
    else if (!isCode && !row.startsWith('    ')) yield { line: index + 1, text: row.replace(/`[^`]*`/g, 'X') };
  }
}
