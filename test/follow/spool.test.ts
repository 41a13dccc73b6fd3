// Tests the spool. Its lines are complete after any kill, and its full files are compressed.
import { spawnSync } from 'node:child_process';
import fs, { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { compressFile, openSpool, spoolFiles } from '#follow/spool.ts';
import { spooledLines } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const NOW = new Date('2026-01-02T03:04:05.678Z');
const spoolIn = (folder: string, maxFileBytes = 1_000_000) => openSpool({ folder, maxFileBytes, now: () => NOW });

test('writes lines of an archive in the order of arrival', async () => {
  const folder = tempFolder();
  const spool = await spoolIn(folder);
  await Promise.all([1, 2, 3].map((number) => spool.append('/new_block', Buffer.from(`{"n":${number}}`))));
  await spool.close();
  expect(spooledLines(folder)).toEqual([1, 2, 3].map((n) => `${n}\t${NOW.toISOString()}\t/new_block\t{"n":${n}}`));
});

test('cuts off an incomplete line of any length when a spool is opened again', async () => {
  const whole = `1\tt\t/a\t{}\n2\tt\t/a\t{"x":"${'y'.repeat(3_000_000)}"}\n`;
  for (const cut of [0, 5, 11, 12, 1_500_000, whole.length - 1, whole.length]) {
    const folder = tempFolder();
    writeFileSync(join(folder, 'events-00000001.tsv'), whole.slice(0, cut));
    const spool = await spoolIn(folder, 10_000_000);
    await spool.append('/b', Buffer.from('{}'));
    await spool.close();
    const kept = whole.slice(0, whole.lastIndexOf('\n', cut - 1) + 1);
    const id = kept.split('\n').length;
    expect(readFileSync(join(folder, 'events-00000001.tsv'), 'utf8')).toBe(
      `${cut === 0 ? '' : kept}${cut === 0 ? 1 : id}\t${NOW.toISOString()}\t/b\t{}\n`,
    );
  }
});

test('cuts off an incomplete line before the next line if that failed before', async ({ skip }) => {
  const folder = tempFolder();
  const file = join(folder, 'events-00000001.tsv');
  const spool = await spoolIn(folder);
  await spool.append('/a', Buffer.from('{"n":1}'));
  // With the flag `+a`, the file can grow but cannot be truncated, as on a disk that fails.
  if (spawnSync('chattr', ['+a', file]).status !== 0) skip('this file system has no append-only files');
  try {
    // This body fails after the columns before it were written.
    await expect(spool.append('/b', null as never)).rejects.toThrow('must be of type');
  } finally {
    spawnSync('chattr', ['-a', file]);
  }
  expect(readFileSync(file, 'utf8')).toMatch(/\/b\t$/);
  await spool.append('/c', Buffer.from('{"n":2}'));
  await spool.close();
  expect(spooledLines(folder).map((line) => line.split('\t').slice(2))).toEqual([
    ['/a', '{"n":1}'],
    ['/c', '{"n":2}'],
  ]);
});

test('leaves no partial file after an interrupted compression', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'events-00000001.tsv'), `1\tt\t/a\t{}\n`);
  await expect(compressFile(join(folder, 'events-00000001.tsv'), AbortSignal.abort())).rejects.toThrow('aborted');
  expect(readdirSync(folder)).toEqual(['events-00000001.tsv']);
});

const [N1, N2] = ['events-00000001.tsv', 'events-00000002.tsv'];
const [kept, added] = ['1\tt\t/a\t{}\n2\tt\t/a\t{}\n', '3\tt\t/a\t{}\n'];
test.each([
  ['all lines of the file', zstdCompressSync(kept + added), [`${N1}.zst`]],
  ['them in two frames', Buffer.concat([zstdCompressSync(kept), zstdCompressSync(added)]), [`${N1}.zst`]],
  ['only its first lines', zstdCompressSync(kept), [`${N1}.zst`, N2]],
  ['more lines', zstdCompressSync(kept + added + added), [`${N1}.zst`, N2]],
  ['half of the compressed data', zstdCompressSync(kept + added).subarray(0, 20), [`${N1}.zst`, N2]],
  ['no compressed data', Buffer.alloc(0), [`${N1}.zst`, N2]],
])('keeps all lines at a restart if the compressed file has %s', async (_, compressed, files) => {
  const folder = tempFolder();
  writeFileSync(join(folder, N1), kept + added);
  writeFileSync(join(folder, `${N1}.zst`), compressed);
  for (const name of ['notes', 'notes.zst', 'notes.zst.part']) writeFileSync(join(folder, name), '');
  const spool = await spoolIn(folder);
  expect(spoolFiles(folder)).toEqual(files);
  expect(readFileSync(join(folder, `${N1}.zst`))).toEqual(compressed);
  await spool.append('/b', Buffer.from('{}'));
  await spool.close();
  const before = files.includes(N2) ? kept + added : '';
  expect(readFileSync(join(folder, N2), 'utf8')).toMatch(new RegExp(`^${before}\\d\t.*\t/b\t{}\n$`));
  // Files of other programs stay.
  for (const name of ['notes', 'notes.zst', 'notes.zst.part']) expect(existsSync(join(folder, name))).toBe(true);
});

test('never replaces a compressed file', async () => {
  const folder = tempFolder();
  const { signal } = new AbortController();
  writeFileSync(join(folder, N1), kept + added);
  writeFileSync(join(folder, `${N1}.zst`), zstdCompressSync(kept));
  expect(await compressFile(join(folder, N1), signal)).toBe(false);
  expect(readFileSync(join(folder, N1), 'utf8')).toBe(kept + added);
  writeFileSync(join(folder, N2), kept);
  expect(await compressFile(join(folder, N2), signal)).toBe(true);
  expect(zstdDecompressSync(readFileSync(join(folder, `${N2}.zst`))).toString()).toBe(kept);
  expect(spoolFiles(folder)).toEqual([N1, `${N1}.zst`, `${N2}.zst`]);
});

test('begins a new file after a full one, and keeps the lines of compressed files', async () => {
  const folder = tempFolder();
  const spool = await spoolIn(folder, 100);
  for (let n = 0; n < 9; n++) await spool.append('/new_block', Buffer.from(`{"n":${n}}`));
  await spool.close();
  expect(spoolFiles(folder).length).toBeGreaterThan(2);
  const before = spooledLines(folder);
  const [first = ''] = spoolFiles(folder);
  await compressFile(join(folder, first), new AbortController().signal);
  // A process that is killed while it compresses leaves the file and part of the compressed file.
  writeFileSync(join(folder, first), 'half');
  writeFileSync(join(folder, 'events-00000002.tsv.zst.part'), 'half');
  const again = await spoolIn(folder, 100);
  await again.append('/new_block', Buffer.from('{"n":9}'));
  await again.close();
  expect(existsSync(join(folder, first))).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  const rest = spoolFiles(folder).filter((name) => name.endsWith('.tsv'));
  const lines = rest.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1));
  expect(lines.slice(0, -1)).toEqual(before.slice(-lines.length + 1));
  expect(lines.at(-1)).toContain('{"n":9}');
});

test('keeps acknowledged lines through a power cut', async () => {
  const folder = tempFolder();
  const { open } = fs.promises;
  onTestFinished(() => {
    fs.promises.open = open;
    syncBuiltinESMExports();
  });
  /** `onDisk`: how many bytes of each file were flushed to the disk. `names`: the files whose names were flushed. */
  const [onDisk, names] = [new Map<string, number>(), new Set<string>()];
  fs.promises.open = async (path, ...more) => {
    const file = await open(path, ...more);
    const [datasync, sync] = [file.datasync.bind(file), file.sync.bind(file)];
    file.datasync = async () => {
      const { size } = await file.stat();
      await datasync();
      onDisk.set(`${path}`, size);
    };
    file.sync = async () => {
      const inFolder = path === folder ? readdirSync(folder) : [];
      await sync();
      for (const name of inFolder) names.add(name);
    };
    return file;
  };
  syncBuiltinESMExports();
  const spool = await spoolIn(folder, 100);
  for (let n = 0; n < 6; n++) {
    await Promise.all([2 * n, 2 * n + 1].map((number) => spool.append('/a', Buffer.from(`{"n":${number}}`))));
    const left = spoolFiles(folder).filter((name) => names.has(name));
    const whole = left.map((name) => readFileSync(join(folder, name)).subarray(0, onDisk.get(join(folder, name)) ?? 0));
    expect(Buffer.concat(whole).toString().split('\n').slice(0, -1)).toHaveLength(2 * n + 2);
  }
  await spool.close();
  expect(spoolFiles(folder).length).toBeGreaterThan(1);
});
