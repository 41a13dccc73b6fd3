import { describe, expect, test } from 'vitest';
import { LineReader } from '#source/event-archive/read-lines.ts';

interface ReadLine {
  offset: number;
  number: number;
  text: string;
  whole: boolean;
  /** Where the reader stands behind the line. */
  next: number;
}

async function readLines(chunks: readonly string[], maxHeldBytes?: number): Promise<ReadLine[]> {
  const stream = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })();
  const reader = new LineReader(stream, { offset: 100, number: 7 }, maxHeldBytes);
  const lines: ReadLine[] = [];
  for (;;) {
    const line = reader.buffered() ?? (await reader.next());
    if (line === undefined) return lines;
    const pieces: Buffer[] = line.bytes === undefined ? [] : [line.bytes];
    for await (const piece of line.pieces ?? []) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    lines.push({ offset: line.offset, number: line.number, text, whole: reader.lastLineWasWhole, next: reader.offset });
  }
}

/** What any way of cutting the text must give. */
function linesOf(text: string): ReadLine[] {
  let offset = 100;
  return text
    .split(/(?<=\n)/)
    .filter((line) => line !== '')
    .map((line, index) => {
      const start = offset;
      offset += line.length;
      const whole = line.endsWith('\n');
      return { offset: start, number: 7 + index, text: whole ? line.slice(0, -1) : line, whole, next: offset };
    });
}

const TEXTS = [
  '',
  'a',
  '\n',
  'a\n',
  '\n\na',
  'abc\ndefghi\n\nj\n',
  'abc\ndefghi\nj',
  'abcdefghijkl\nm\n',
  'a\nbcdefghijkl',
];

describe('LineReader', () => {
  test.each(TEXTS)('default: %j', async (text) => {
    expect(await readLines([text])).toEqual(linesOf(text));
  });

  describe.each([undefined, 0, 1, 3, 5])(
    'behavior: lines above %s bytes in pieces are the same lines',
    (maxHeldBytes) => {
      test.each(TEXTS)('%j', async (text) => {
        for (let size = 1; size <= text.length; size++) {
          const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
          expect(await readLines(chunks, maxHeldBytes), `chunks of ${size}`).toEqual(linesOf(text));
          expect(
            await readLines(
              chunks.flatMap((chunk) => [chunk, '']),
              maxHeldBytes,
            ),
            'empty chunks',
          ).toEqual(linesOf(text));
        }
      });
    },
  );
});
