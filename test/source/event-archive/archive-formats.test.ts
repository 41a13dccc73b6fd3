// Tests archives in all forms of gzip and zstd, and files in other formats, whose first bytes are from real tools.
import { appendFileSync } from 'node:fs';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { FailureError } from '#model/failure.ts';
import { ChunkReader } from '#source/event-archive/chunk-reader.ts';
import { decompress, NO_FRAME_LIMITS, SEED_FRAME_LIMITS } from '#source/event-archive/decompress.ts';
import { heightsOf, readToEnd, writeArchive } from '../../support/archives.ts';
import { blockLine } from '../../support/transactions.ts';

const block = (height: number) => blockLine({ id: height, parent: height - 1, height });
const [first, second] = [block(1) + block(2), block(3)];
const text = first + second;

/** Builds a frame without data. */
function skippable(content: string, kind = 0): Buffer {
  const head = Buffer.from([0x50 + kind, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, Buffer.from(content)]);
}

/** Builds a zstd frame with the bytes of its header after the magic number, and with one block that is not compressed. */
function rawFrame(header: readonly number[], content: string): Buffer {
  const head = Buffer.alloc(3);
  head.writeUIntLE((content.length << 3) | 1, 0, 3);
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, ...header]), head, Buffer.from(content)]);
}

/** Builds a frame of the window that `zstd --long=<log>` uses for a pipe. */
const windowed = (log: number, content: string) => rawFrame([0x00, (log - 10) << 3], content);
const hex = (digits: string) => Buffer.from(digits, 'hex');
const nul = (bytes: number) => Buffer.alloc(bytes);
const checked = (content: string) => zstdCompressSync(content, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });

/** Builds a member whose header has all optional parts: extra data, a name, a comment and a checksum. */
function gzipWithHeader(content: string): Buffer {
  const member = gzipSync(content);
  const header = Buffer.from([0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 3, 0, 1, 2, 3]);
  return Buffer.concat([header, Buffer.from('archive.tsv\0a comment\0'), nul(2), member.subarray(10)]);
}

const READ: readonly (readonly [name: string, parts: readonly Buffer[]])[] = [
  ['pzstd', [skippable('\x0e\0\0\0'), zstdCompressSync(first), skippable('\x0e\0\0\0', 15), checked(second)]],
  ['a seek table', [zstdCompressSync(first), checked(second), skippable('seek table', 14), skippable('')]],
  ['zstd, with and without a checksum', [checked(first), zstdCompressSync(second)]],
  ['zstd without a content size', [zstdCompressSync(text, { params: { [constants.ZSTD_c_contentSizeFlag]: 0 } })]],
  ['zstd with a block of a repeated byte', [hex('28b52ffd00580b000031'), checked(text.slice(1))]],
  ...[28, 29, 30, 31].map((log) => [`zstd --long=${log}`, [windowed(log, first), windowed(log, second)]] as const),
  ['zstd, NUL bytes', [checked(first), nul(700), zstdCompressSync(second), nul(512)]],
  ['gzip, NUL bytes', [gzipSync(first), nul(700), gzipSync(second), nul(512)]],
  ['gzip with a full header', [gzipWithHeader(first), gzipWithHeader(''), gzipWithHeader(second)]],
  ['gzip, zstd', [gzipSync(first), zstdCompressSync(second)]],
  ['zstd, gzip', [skippable(''), checked(first), gzipSync(second), nul(1)]],
];

async function* chunksOf(bytes: Buffer, size: number) {
  for (let offset = 0; offset < bytes.length; offset += size) yield Buffer.from(bytes.subarray(offset, offset + size));
}

/** Decompresses bytes that arrive in chunks of a size. Returns the text before an error, and the error. */
async function read(bytes: Buffer, size = bytes.length, limits = NO_FRAME_LIMITS) {
  let content = '';
  try {
    const reader = new ChunkReader(decompress(new ChunkReader(chunksOf(bytes, size)), 'a.gz', limits));
    for await (const chunk of reader) content += chunk;
  } catch (error) {
    return { content, error: error as FailureError };
  }
  return { content, error: undefined };
}

describe.each(READ)('%s', (name, parts) => {
  const bytes = Buffer.concat(parts);

  test('is read', async () => {
    expect(heightsOf((await readToEnd(writeArchive(bytes))).events)).toEqual([1, 2, 3]);
  });

  test('is read in chunks of any size', async () => {
    for (const size of [1, 2, 3, 5, 64, 4096])
      expect(await read(bytes, size)).toEqual({ content: text, error: undefined });
    let end = 0;
    for (const part of parts) {
      // A chunk ends with each frame.
      end += part.length;
      expect(await read(bytes, end)).toEqual({ content: text, error: undefined });
    }
  });

  test('is truncated if it ends within a frame', async () => {
    const ends = new Set(parts.map((_part, index) => Buffer.concat(parts.slice(0, index + 1)).length));
    const isNearEnd = (end: number) => [-1, 0, 1].some((offset) => ends.has(end + offset));
    const isPadding = (end: number) => bytes[end] === 0 && bytes[end - 1] === 0 && name.includes('NUL');
    // Tries some places only, since each attempt with a window of 2 GB takes milliseconds.
    for (const end of [...bytes.keys()].filter((at) => at > 0 && (at < 40 || at % 61 === 0 || isNearEnd(at)))) {
      const { content, error } = await read(bytes.subarray(0, end), 64);
      expect(text.startsWith(content)).toBe(true);
      if (ends.has(end) || isPadding(end)) continue;
      expect(error?.message, `${end} bytes`).toMatch(/^a\.gz is truncated or damaged: .*unexpected end of file/);
    }
  });
});

test('continues an archive to which frames and padding are added', async () => {
  const path = writeArchive(Buffer.concat([skippable('x'), zstdCompressSync(first.slice(0, -30)), skippable('y')]));
  let { position } = await readToEnd(path);
  const added = [
    [[nul(512)], []],
    [[checked(first.slice(-30)), skippable('z')], [2]],
    [[skippable('')], []],
    [[gzipSync(''), gzipSync(second)], [3]],
    [[zstdCompressSync(block(4)), nul(3)], [4]],
  ] as const;
  for (const [frames, heights] of added) {
    for (const frame of frames) appendFileSync(path, frame);
    const rest = await readToEnd(path, { known: [position], skipBroken: true });
    expect(heightsOf(rest.events)).toEqual(heights);
    position = rest.position ?? position;
  }
  expect(heightsOf((await readToEnd(path)).events)).toEqual([1, 2, 3, 4]);
});

test.each([
  ['gzip', gzipSync(text), 'gzip -dc < a.gz > a.gz.tsv'],
  ['zstd', zstdCompressSync(text), 'zstd -dc --long=31 < a.gz > a.gz.tsv'],
])('reports other data after %s, and yields all content before it', async (_, compressed, command) => {
  for (const size of [1, 1000, compressed.length])
    for (const padding of [0, 3]) {
      const { content, error } = await read(Buffer.concat([compressed, nul(padding), Buffer.from('garbage')]), size);
      expect(content).toBe(text);
      expect(error?.failure.code).toBe('archive-compressed-data-broken');
      expect(error?.message).toContain(
        `other data after its compressed data, at byte ${compressed.length + padding}. `,
      );
      expect(error?.message).toContain(command);
    }
});

test.each([
  ['the checksum of gzip', gzipSync(text), -8],
  ['the size of gzip', gzipSync(text), -4],
  ['the method of gzip', gzipSync(text), 2],
  ['the reserved flags of gzip', gzipSync(text), 3],
  ['the checksum of zstd', checked(text), -1],
])('reports damage of %s', async (_, compressed, index) => {
  const damaged = Buffer.from(compressed);
  damaged[damaged.length * (index < 0 ? 1 : 0) + index] = 0xe9;
  expect((await read(damaged)).error?.message).toMatch(/^a\.gz is truncated or damaged/);
});

test.each([
  [
    'a dictionary of zstd',
    rawFrame([0x03, 0x58, 1, 2, 3, 4], text),
    "zstd's dictionary 67305985. ",
    'zstd -dc --long=31 -D DICTIONARY < ',
  ],
  ['a dictionary without a window', rawFrame([0x22, 9, 1, 1, 1], text), "zstd's dictionary 265. ", '-D DICTIONARY'],
  ['a window beyond that of zstd', rawFrame([0x00, (22 << 3) | 1], text), 'needs more than 2.1 GB', 'smaller window'],
])('does not call %s damage', async (_, bytes, problem, remedy) => {
  const { error } = await readToEnd(writeArchive(bytes));
  expect(error?.failure.code).toBe('archive-not-an-archive');
  expect(error?.message).toContain(problem);
  expect(error?.message).toContain(remedy);
});

test('reads only the first frame of a part of a seed, with a window of at most 128 MB', async () => {
  const limits = SEED_FRAME_LIMITS;
  expect(await read(windowed(27, text), undefined, limits)).toEqual({ content: text, error: undefined });
  expect((await read(windowed(28, text), undefined, limits)).error?.message).toContain('needs more than 134.2 MB');
  const parts = [checked(text), skippable('')];
  expect((await read(Buffer.concat(parts), undefined, limits)).error?.message).toContain('The file is damaged.');
});

const tar = Buffer.concat([
  Buffer.from('archive.tsv'),
  nul(246),
  Buffer.from('ustar  \0'),
  nul(247),
  Buffer.from(text),
]);
const csv = '1,2024-01-01 00:01:00+00,/new_block,"{""block_height"": 1}"\n';

/** The first bytes of files of the tools, and the command that converts the file `x`. */
const OTHER_FORMATS: readonly (readonly [name: string, beginning: Buffer | string, command: string])[] = [
  ['zstd 0.5', hex('25b52ffd0458'), 'zstd -dc < x > x.tsv'],
  ['xz', hex('fd377a585a000004e6d6b446'), 'xz -dc < x > x.tsv'],
  ['lzma', hex('5d00004000ffffffffffffffff0018'), 'xz -dc < x'],
  ['lzma with a size', hex('5d0000800066401300000000000018'), 'xz -dc < x'],
  ['bzip2', hex('425a683931415926'), 'bzip2 -dc < x'],
  // Both begin with the first line, which is not compressed.
  ['lz4', Buffer.concat([hex('04224d186470b918d106'), Buffer.from(text)]), 'lz4 -dc < x'],
  ['lz4 -l', Buffer.concat([hex('02214c1818d10600'), Buffer.from(text)]), 'lz4 -dc < x'],
  ['compress', hex('1f9d9031120224'), 'gzip -dc < x'],
  ['zip', hex('504b0304140000000800'), 'unzip -p x > x.tsv'],
  ['7z', hex('377abcaf271c0004'), '7z x -so x > x.tsv'],
  ['rar', hex('526172211a0701003392'), 'unrar p -inul x > x.tsv'],
  ['tar', tar, 'tar -xOf - < x > x.tsv'],
  ['tar in gzip', gzipSync(tar), 'gzip -dc < x | tar -xOf - > x.tsv'],
  ['tar in zstd', zstdCompressSync(tar), 'zstd -dc --long=31 < x | tar -xOf - > x.tsv'],
  ['zip in gzip', gzipSync(hex('504b0304140000000800')), 'gzip -dc < x > x.tsv'],
  ['gzip in zstd', zstdCompressSync(gzipSync(text)), 'zstd -dc --long=31 < x | gzip -dc > x.tsv'],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'iconv -f UTF-16 -t UTF-8 < x'],
  ['UTF-16 from the other end', Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'iconv -f UTF-16 -t UTF-8 < x'],
  ['UTF-16', Buffer.from(text, 'utf16le'), 'iconv -f UTF-16LE -t UTF-8 < x'],
  ['CSV', csv, 'csv.reader(sys.stdin) if'],
  ['CSV with names', `\ufeffid,receive_timestamp,event_path,payload\r\n${csv}`, 'csv.reader(sys.stdin) if'],
  ['CSV with quotes', '"1","2024-01-01T00:01:00Z","/new_block","{""a"": 1}"\n', 'csv.reader(sys.stdin) if'],
  ['CSV with tabs', csv.replaceAll(',', '\t'), String.raw`csv.reader(sys.stdin, delimiter="\t") if`],
  ['COPY with names', `id\treceive_timestamp\tevent_path\tpayload\n${text}`, 'tail -n +2 < x > x.tsv'],
  ['pg_dump', '--\n-- PostgreSQL database dump\n--\n\n\\restrict a\n', `sed -n '/^COPY [^ ]*event_observer_requests /`],
  ['a COPY of pg_dump', `COPY public.event_observer_requests (id) FROM stdin;\n${text}\\.\n`, '{//!p;}'],
  ['pg_dump -Fc', hex('5047444d50010e00'), 'pg_restore -a -t event_observer_requests -f - x | sed'],
  ['Parquet', hex('504152311500152c'), "FROM read_parquet('/dev/stdin')"],
  ['SQLite', 'SQLite format 3\0\x10\0', 'sqlite3 -tabs x "SELECT'],
];

test.each(OTHER_FORMATS)('names the command that converts %s', async (_, beginning, command) => {
  const path = writeArchive(beginning, 'x');
  const { events, error } = await readToEnd(path);
  expect(events).toEqual([]);
  expect(error?.failure.code).toBe('archive-not-an-archive');
  expect(error?.message.replaceAll(path, 'x')).toContain(command);
});

test.each([
  ['a byte order mark of UTF-8', `\ufeff${text}`],
  ['line ends of Windows', text.replaceAll('\n', '\r\n')],
])('reads text with %s', async (_, content) => {
  expect(heightsOf((await readToEnd(writeArchive(content))).events)).toEqual([1, 2, 3]);
});
