// Checks that an index of a seed builds the same site as an index of the archive, and measures seeds.
// Usage: node test/real-data/check-seed.ts FOLDER [ARCHIVE...]
// Reads each archive of FOLDER/archives and FOLDER/replay, and an archive of many calls that this script writes. For
// these, the VM evaluates tokens. Each further ARCHIVE, such as FOLDER/mainnet/make-archive.mjs or make-blocks.mjs
// write, is indexed without the VM. An interface that its source contradicts is corrected first, since a reader of a
// seed would not use it. Prints processor times in seconds, compared with only parsing the archive.
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, createReadStream, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { Cl } from '@stacks/transactions';
import type { SeedManifest } from '#layout/seed-manifest.ts';
import { ENTRY } from '../support/run-cli.ts';
import { filesBelow } from '../support/sample.ts';
import { ADDRESS, blockLine, deployJson, type Json, printEvent } from '../support/transactions.ts';
import { withTrueInterfaces } from '../support/true-interfaces.ts';
import { type Checks, runChecks } from './checks.ts';

const BASELINES = fileURLToPath(new URL('../../scripts/bench/baselines.ts', import.meta.url));
const MAX_CALL_BYTES = 120;
const CALLS = 100_000;
const CALLS_IN_BLOCK = 50;

/** Runs a program, and returns its processor time in seconds. Throws an error if it fails. */
async function processorTime(...args: readonly string[]): Promise<number> {
  const command = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null';
  const { stderr } = await promisify(execFile)('bash', ['-c', command, 'bash', ...args], { maxBuffer: 1e8 });
  const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return user + system;
}

/** Writes a copy of an archive whose interfaces have the definitions of their sources. */
async function correct(archive: string, copy: string): Promise<void> {
  const bytes = createReadStream(archive);
  const file = openSync(copy, 'w');
  for await (const line of createInterface({ input: archive.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes }))
    writeSync(file, line.includes('"contract_interface":{') ? withTrueInterfaces(line) : `${line}\n`);
  closeSync(file);
}

/** Returns the manifest; undefined if the archive has a gap, since it has no seed then. */
async function checkArchive({ work, check }: Checks, original: string, vm: boolean): Promise<SeedManifest | undefined> {
  const name = basename(original);
  const at = (file: string) => join(work, `${name}-${file}`);
  const archive = at('archive.tsv');
  await correct(original, archive);
  const stxpress = (...args: string[]) => processorTime(ENTRY, ...args, '--quiet');
  const index = (db: string, ...source: string[]) =>
    stxpress('index', '--db', at(db), '--offline', ...(vm ? [] : ['--no-vm']), ...source);
  const parse = await processorTime(process.execPath, BASELINES, 'parse', archive);
  const indexed = await index('a.sqlite', '--archive', archive);
  const made = await stxpress('seed', '--db', at('a.sqlite'), '--archive', archive, '--out', at('seed')).catch(
    (error) => error as Error,
  );
  if (made instanceof Error) {
    check(`${name}: no seed of an archive with a gap`, made.message.includes('lacks blocks below'), made.message);
    for (const file of readdirSync(work)) rmSync(join(work, file), { recursive: true });
    return undefined;
  }
  const times = { parse, archive: indexed, make: made, seed: await index('b.sqlite', '--seed', at('seed')) };
  for (const db of ['a', 'b']) await stxpress('build', '--db', at(`${db}.sqlite`), '--out', at(`${db}-dist`));
  const [expected, files] = [filesBelow(at('a-dist')), filesBelow(at('b-dist'))];
  const differing = expected.find(
    (file) =>
      !files.includes(file) || !readFileSync(join(at('a-dist'), file)).equals(readFileSync(join(at('b-dist'), file))),
  );
  check(`${name}: the same site`, differing === undefined && files.length === expected.length, differing);
  const manifest = JSON.parse(readFileSync(join(at('seed'), 'index.json'), 'utf8')) as SeedManifest;
  const bytes = manifest.parts.reduce((sum, part) => sum + part.bytes, 0);
  const seconds = Object.entries(times).map(([what, time]) => `${what} ${time.toFixed(1)}`);
  const ratios = `made in ${(times.make / parse).toFixed(1)} x parse, index ${(times.seed / times.archive).toFixed(2)} x archive`;
  console.log(
    `${name}: ${(bytes / 1e6).toFixed(1)} MB in ${manifest.parts.length} parts; ${seconds.join(', ')} s; ${ratios}`,
  );
  for (const file of readdirSync(work)) rmSync(join(work, file), { recursive: true });
  return manifest;
}

/** Returns a call with random signature, sender, nonce and arguments, as most calls on mainnet have. */
function randomCall(contract: string, txIndex: number, senders: readonly Buffer[]): Json {
  const [address = '', name = ''] = contract.split('.');
  const text = (value: string) => Buffer.from([value.length, ...Buffer.from(value)]);
  const number = (value: number, length: number) => Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex');
  const sender = senders[txIndex % senders.length] as Buffer;
  const condition = [
    Buffer.of(0),
    sender,
    number(Math.floor(Math.random() * 5_000), 8),
    number(3_000 + txIndex, 8),
    Buffer.of(0),
    randomBytes(65),
  ];
  const argument = Buffer.concat([Buffer.of(1), Buffer.alloc(12), randomBytes(4)]);
  const principal = Buffer.concat([Buffer.of(5, 22), senders[(txIndex * 7) % senders.length] as Buffer]);
  const payload = [
    Buffer.of(2),
    HASHES.get(address) ?? Buffer.alloc(21),
    text(name),
    text('set'),
    number(2, 4),
    argument,
    principal,
  ];
  const raw = Buffer.concat([Buffer.of(0, 0, 0, 0, 1, 4), ...condition, Buffer.of(3, 1, 0, 0, 0, 0), ...payload]);
  const txid = `0x${createHash('sha512-256').update(raw).digest('hex')}`;
  return { txid, raw_tx: `0x${raw.toString('hex')}`, status: 'success', tx_index: txIndex, raw_result: '0x0703' };
}

const HASHES = new Map<string, Buffer>();

/** Writes an archive with many calls of a function that sets a variable. */
function writeCalls(path: string, calls: number): void {
  const source =
    '(define-data-var x uint u0) (define-public (set (n uint) (p principal)) (begin (print n) (ok (var-set x n))))';
  const deploy = deployJson('c', source);
  const raw = Buffer.from(String(deploy.raw_tx).slice(2), 'hex');
  HASHES.set(ADDRESS, Buffer.concat([Buffer.of(22), raw.subarray(7, 27)]));
  const senders = Array.from({ length: 5_000 }, () => randomBytes(20));
  const file = openSync(path, 'w');
  writeSync(file, blockLine({ id: 1, parent: 0, height: 1, transactions: [deploy] }, 'raw'));
  for (let height = 2, left = calls; left > 0; height++, left -= CALLS_IN_BLOCK) {
    const transactions = Array.from({ length: CALLS_IN_BLOCK }, (_, index) =>
      randomCall(`${ADDRESS}.c`, index, senders),
    );
    const events = transactions.map(({ txid }, index) => printEvent(txid, `${ADDRESS}.c`, Cl.uint(index), index));
    writeSync(file, blockLine({ id: height, parent: height - 1, height, transactions, events }, 'raw'));
  }
  closeSync(file);
}

await runChecks('check-seed.ts FOLDER [ARCHIVE...]', 'archives', async (checks) => {
  for (const folder of ['archives', 'replay'])
    for (const name of readdirSync(join(checks.input, folder)).filter((file) => file.endsWith('.tsv.gz')))
      await checkArchive(checks, join(checks.input, folder, name), true);
  const calls = join(checks.work, '..', `calls-${process.pid}.tsv`);
  writeCalls(calls, CALLS);
  const manifest = await checkArchive(checks, calls, false);
  rmSync(calls);
  const bytes = (manifest?.parts.reduce((sum, part) => sum + part.bytes, 0) ?? Number.NaN) / CALLS;
  console.log(`${bytes.toFixed(0)} bytes for each call`);
  checks.check(`at most ${MAX_CALL_BYTES} bytes for each call`, bytes <= MAX_CALL_BYTES, `${bytes}`);
  for (const archive of checks.more) await checkArchive(checks, archive, false);
});
