import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { FailureError } from '#model/failure.ts';
import { takeLock } from '#sqlite/lock.ts';
import { mountSmallDisk } from '../reliability/machine/mounts.ts';
import { tempFolder } from '../support/temp-folder.ts';

const LOCK_MODULE = new URL('../../src/sqlite/lock.ts', import.meta.url).href;
const HOLD = `const { takeLock } = await import(${JSON.stringify(LOCK_MODULE)});
  // An unreferenced lock would be garbage-collected and released.
  globalThis.lock = takeLock(process.argv[1], 'indexing in another process');
  console.log('held');
  setInterval(() => {}, 1_000);`;

/** Starts a process that takes the lock and holds it. */
async function holdElsewhere(path: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLD, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

function lockError(path: string): FailureError {
  try {
    takeLock(path, 'at work')[Symbol.dispose]();
  } catch (error) {
    if (error instanceof FailureError) return error;
    throw error;
  }
  throw new Error('the lock was free');
}

test('default', () => {
  const path = join(tempFolder(), 'deep', 'index.lock');
  takeLock(path, 'at work')[Symbol.dispose]();
  takeLock(path, 'at work')[Symbol.dispose]();
});

test('takes locks at two paths independently', () => {
  const folder = tempFolder();
  const [left, right] = [takeLock(join(folder, 'a'), 'at work'), takeLock(join(folder, 'b'), 'at work')];
  left[Symbol.dispose]();
  right[Symbol.dispose]();
});

test('succeeds while another connection is at its first step', () => {
  const path = join(tempFolder(), 'index.lock');
  takeLock(path, 'at work')[Symbol.dispose]();
  // A connection that begins to write first takes a read lock. The lock must not fail because of it.
  const other = new Database(path, { timeout: 0 });
  other.exec('begin; select * from sqlite_master');
  const lock = takeLock(path, 'at work');
  expect(() => other.exec('create table t (a)')).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }));
  lock[Symbol.dispose]();
  other.close();
});

test('locks on a full disk, without naming the holder', ({ skip }) => {
  const folder = mountSmallDisk('100k') ?? skip('no file system can be mounted here');
  spawnSync('sh', ['-c', 'cat /dev/zero > full'], { cwd: folder });
  const lock = takeLock(join(folder, 'index.lock'), 'at work');
  expect(lockError(join(folder, 'index.lock')).message).toContain('(its process is unknown)');
  lock[Symbol.dispose]();
});

test('a lock whose holder cannot be stored is released', () => {
  const path = join(tempFolder(), 'index.lock');
  mkdirSync(`${path}.holder`);
  expect(() => takeLock(path, 'at work')).toThrow('EISDIR');
  rmdirSync(`${path}.holder`);
  takeLock(path, 'at work')[Symbol.dispose]();
});

test('reports locked names the holder, until the kernel releases the lock of a killed process', async () => {
  const path = join(tempFolder(), 'index.lock');
  const child = await holdElsewhere(path);
  const { failure, message } = lockError(path);
  expect(failure).toMatchObject({ code: 'locked', retryable: true });
  expect(message).toContain(`process ${child.pid}, since 20`);
  // The message still names the process that holds the lock.
  expect(lockError(path).message).toBe(message);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = takeLock(path, 'at work');
  expect(lockError(path).message).toContain(`process ${process.pid}, `);
  lock[Symbol.dispose]();
});

test('reports index-unwritable if the file cannot be created', () => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, 'x');
  expect(lockError(join(file, 'index.lock')).failure.code).toBe('index-unwritable');
});
