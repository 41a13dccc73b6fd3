// Follows a node, and repeatedly kills the follower and its commands, while the bucket has faults. The published site
// must equal the site of the archive. FOLLOW_SECONDS sets the duration, and FOLLOW_SEED repeats a run.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { spoolFiles } from '#follow/spool.ts';
import { LOCK_KEY } from '#publish/own-objects.ts';
import { type Fault, openBucket, treeOf } from '../../support/bucket.ts';
import { type Followed, post, startFollow } from '../../support/follow-cli.ts';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { Random } from '../../support/random.ts';
import { runWarm } from '../../support/run-warm.ts';
import { readTree } from '../../support/sample.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { addressOn, blockJson, deployJson, mintEvent } from '../../support/transactions.ts';

const SECONDS = Number(process.env.FOLLOW_SECONDS ?? 6);
const SEED = Number(process.env.FOLLOW_SEED ?? 11);
const CHAIN = { chainId: 0x53545850, clarityVersion: 2 };
const TOKEN = { interface: TOKEN_INTERFACE };
const FAULTS: readonly Fault[] = ['busy', 'cut', 'lost', 'slow'];

const ENVIRONMENT = { AWS_ACCESS_KEY_ID: 'KEY', AWS_SECRET_ACCESS_KEY: 'SECRET', STXPRESS_NO_VM: '1' };

const balanceEvent = (index: number) => ({
  txid: `0x${'00'.repeat(32)}`,
  type: 'stx_mint_event',
  committed: true,
  event_index: index,
  stx_mint_event: { recipient: 'SP000000000000000000002Q6VF78', amount: String(index) },
});

test('keeps all acknowledged payloads, and publishes the site of the archive', {
  timeout: 120_000 + 2_000 * SECONDS,
}, async () => {
  const [cwd, random, bucket] = [tempFolder(), new Random(SEED), await openBucket()];
  bucket.fault = () => (random.chance(0.05) ? random.pick(FAULTS) : undefined);
  const env = { ...ENVIRONMENT, STXPRESS_ENDPOINT: bucket.url };
  const start = () => startFollow(cwd, ['--publish', 's3://site'], env);
  let followed: Followed = await start();
  let kills = 0;
  const kill = async () => {
    kills++;
    const { child } = followed;
    const closed = once(child, 'exit');
    // Kills the follower and its commands, or only the follower: then its commands continue.
    if (random.chance(0.5)) process.kill(-(child.pid as number), 'SIGKILL');
    else child.kill('SIGKILL');
    await closed;
    followed = await start();
  };
  const acknowledged: string[] = [];
  const deadline = Date.now() + 1_000 * SECONDS;
  let nonce = 0;
  for (let id = 1, height = 1; Date.now() < deadline; id++, height++) {
    // One block in ten has the grandparent as parent, so that it competes with the previous block.
    const forks = id > 2 && random.chance(0.1);
    if (forks) height--;
    const transactions = Array.from({ length: random.within(1, 4) }, () =>
      deployJson(`contract-${nonce}`, `(define-constant n u${nonce})`, { ...CHAIN, ...TOKEN, nonce: nonce++ }),
    );
    // The contract of this token may be missing on this branch.
    const minted = `${addressOn(CHAIN.chainId)}.contract-${random.below(nonce)}::coin`;
    const events = [mintEvent(transactions[0]?.txid, minted, String(random.within(1, 100)))];
    // The first payload of mainnet has 80 MB, because it contains the initial balances.
    if (id === 1 && SECONDS >= 60) for (let index = 1; index < 400_000; index++) events.push(balanceEvent(index));
    const body = JSON.stringify(blockJson({ id, parent: forks ? id - 2 : id - 1, height, transactions, events }));
    const dying = random.chance(0.03) ? delay(random.within(0, 20)).then(kill) : undefined;
    while (!(await post(followed.url, { path: '/new_block', body }))) await delay(10);
    acknowledged.push(body);
    await dying;
    // A restarted node sends its last payload again.
    if (random.chance(0.05)) await post(followed.url, { path: '/new_block', body });
    await delay(random.within(0, 40));
  }
  expect(kills).toBeGreaterThan(SECONDS / 60);
  // Commands of killed followers may still run and release the lock.
  const published = () => bucket.changes.includes(`DELETE ${LOCK_KEY}`);
  await vi.waitUntil(published, { timeout: 60_000, interval: 100 });
  const closed = once(followed.child, 'exit');
  followed.child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);

  const spool = join(cwd, 'data/spool');
  const stored = new Set(
    spoolFiles(spool).flatMap((name) => {
      const bytes = readFileSync(join(spool, name));
      const text = (name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString();
      return text.split('\n').map((line) => line.split('\t')[3]);
    }),
  );
  expect(acknowledged.filter((body) => !stored.has(body))).toEqual([]);

  bucket.fault = () => undefined;
  const archives = spoolFiles(spool).flatMap((name) => ['--archive', join(spool, name)]);
  const untilDone = async (args: string[]) => {
    // A command of a killed follower may still run and hold its lock.
    for (let tries = 0; tries < 60; tries++) {
      const { status, stderr } = await runWarm(args, { cwd, env: { ...env, STXPRESS_NO_FETCH: '1' } });
      if (status === 0) return;
      expect([args[0], status, status === 75 ? '' : stderr]).toEqual([args[0], 75, '']);
      await delay(500);
    }
    throw new Error(`${args[0]} never ended`);
  };
  await untilDone(['index', ...archives]);
  await untilDone(['build']);
  await untilDone(['publish', '--to', 's3://site']);

  const bare = tempFolder();
  const lines = acknowledged.map((body, index) => `${index + 1}\t2026-01-01T00:00:00.000Z\t/new_block\t${body}\n`);
  writeFileSync(join(bare, 'chain.tsv'), lines.join(''));
  for (const args of [['index', '--archive', 'chain.tsv', '--no-fetch', '--no-vm'], ['build']])
    expect(await runWarm(args, { cwd: bare })).toMatchObject({ status: 0 });
  expect([...treeOf(bucket)]).toEqual([...readTree(join(bare, 'dist'))]);
});
