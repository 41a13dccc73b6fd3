// This script checks offline values at the tip: node test/real-data/check-replay.ts FOLDER
// FOLDER/replay/ft.tsv.gz goes through the real commands, at once and in pieces; each token must answer what the
// Clarity VM answered at the archive's tip (FOLDER/replay/ft-expected.json.gz).
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Random } from '../support/random.ts';
import { endOf, runCli, spawnCli } from '../support/run-cli.ts';
import { readTree } from '../support/sample.ts';
import { countChecks } from './count-checks.ts';

const GETTERS = {
  'get-name': 'name',
  'get-symbol': 'symbol',
  'get-decimals': 'decimals',
  'get-token-uri': 'token_uri',
} as const;
type Getter = keyof typeof GETTERS;

interface Expected {
  /** Null for none; left out where the getter is public and was not read. */
  readonly after: Readonly<Partial<Record<Getter, string | null>>>;
  readonly changed: readonly Getter[];
}

interface Block {
  readonly index_block_hash: string;
  readonly parent_index_block_hash: string;
  readonly block_height: number;
}

const KILLS = 10;

const [folder, seed = '1'] = process.argv.slice(2);
if (folder === undefined || !existsSync(join(folder, 'replay'))) {
  console.error('usage: node test/real-data/check-replay.ts FOLDER [SEED], a folder with replay/ft.tsv.gz in it');
  process.exit(1);
}
const archive = gunzipSync(readFileSync(join(folder, 'replay/ft.tsv.gz'))).toString();
const expected: Record<string, Expected> = JSON.parse(
  gunzipSync(readFileSync(join(folder, 'replay/ft-expected.json.gz'))).toString(),
);
const { check, finish } = countChecks();
const cwd = mkdtempSync(join(tmpdir(), 'stxpress-replay-'));
const run = async (...args: readonly string[]) => {
  const { status, stderr } = await runCli(args, { cwd });
  check(`stxpress ${args.join(' ')}`, status === 0, stderr);
};
try {
  writeFileSync(join(cwd, 'whole.tsv'), archive);
  await run('index', '--offline', '--db', 'whole.sqlite', '--archive', 'whole.tsv');
  await run('build', '--db', 'whole.sqlite', '--out', 'whole');
  checkAnswers(join(cwd, 'whole'));
  await replayInPieces();
  check('in pieces, the same files', sameTrees(join(cwd, 'whole'), join(cwd, 'pieces')));
  await replayKilled();
  check('killed at random, the same files', sameTrees(join(cwd, 'whole'), join(cwd, 'killed')));
  await replayWithForksMoved();
  check('with forks in another order, the same files', sameTrees(join(cwd, 'whole'), join(cwd, 'moved')));
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
finish();

function checkAnswers(site: string): void {
  const changed = Object.values(expected).filter((one) => one.changed.length > 0).length;
  let diverged = 0;
  for (const [contractId, { after }] of Object.entries(expected)) {
    const status = JSON.parse(readFileSync(join(site, 'metadata/v1/status', contractId), 'utf8'));
    if (JSON.stringify(status).includes('replay-diverged')) diverged++;
    const path = join(site, 'metadata/v1/ft', contractId);
    const answer = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    for (const [getter, name] of Object.entries(GETTERS)) {
      const value = after[getter as Getter];
      if (value === undefined) continue;
      const text = answer[name] === undefined ? null : String(answer[name]);
      check(`${contractId} ${getter}`, text === value, `${text}, expected ${value}`);
    }
  }
  console.log(
    `${Object.keys(expected).length} tokens, of which ${changed} changed; ${diverged} with a call that diverged`,
  );
}

/** A longer and longer archive, cut at random lines, with a build behind each piece. */
async function replayInPieces(): Promise<void> {
  const random = new Random(Number(seed));
  const lines = archive.trimEnd().split('\n');
  const cuts = [random.below(lines.length), random.below(lines.length), random.below(lines.length)].sort(
    (a, b) => a - b,
  );
  for (const end of [...cuts, lines.length]) {
    writeFileSync(join(cwd, 'growing.tsv'), `${lines.slice(0, Math.max(1, end)).join('\n')}\n`);
    await run('index', '--offline', '--db', 'pieces.sqlite', '--archive', 'growing.tsv');
    await run('build', '--db', 'pieces.sqlite', '--out', 'pieces');
  }
}

/** Ends the index run at random instants, some of them while it evaluates, and runs it again. */
async function replayKilled(): Promise<void> {
  const random = new Random(Number(seed) + 1);
  const args = ['index', '--offline', '--db', 'killed.sqlite', '--archive', 'whole.tsv'];
  for (let kills = 0; kills < KILLS; kills++) {
    const child = spawnCli(args, { cwd });
    const timer = setTimeout(() => child.kill('SIGKILL'), random.within(200, 6_000));
    await endOf(child);
    clearTimeout(timer);
  }
  await run(...args);
  await run('build', '--db', 'killed.sqlite', '--out', 'killed');
}

/** Blocks that are not on the chain in the end come later than they did, in any order. */
async function replayWithForksMoved(): Promise<void> {
  const random = new Random(Number(seed) + 2);
  const lines = archive.trimEnd().split('\n');
  const blocks = lines.map((line) => JSON.parse((line.split('\t')[3] ?? '').replaceAll('\\\\', '\\')) as Block);
  const byHash = new Map(blocks.map((block) => [block.index_block_hash, block]));
  const chain = new Set<Block>();
  const tip = blocks.reduce((highest, block) => (block.block_height > highest.block_height ? block : highest));
  for (let block: Block | undefined = tip; block; block = byHash.get(block.parent_index_block_hash)) chain.add(block);
  const moved = lines.map((line, at) => ({
    line,
    at: chain.has(blocks[at] as Block) ? at : at + random.below(lines.length - at) + 0.5,
  }));
  const text = moved.sort((left, right) => left.at - right.at).map(({ line }) => line);
  writeFileSync(join(cwd, 'moved.tsv'), `${text.join('\n')}\n`);
  await run('index', '--offline', '--db', 'moved.sqlite', '--archive', 'moved.tsv');
  await run('build', '--db', 'moved.sqlite', '--out', 'moved');
}

function sameTrees(left: string, right: string): boolean {
  const [one, other] = [readTree(left), readTree(right)];
  const different = [...one].filter(([path, text]) => other.get(path) !== text).map(([path]) => path);
  const more = [...other.keys()].filter((path) => !one.has(path));
  if (different.length + more.length > 0) console.error([...different, ...more].slice(0, 20).join('\n'));
  return different.length + more.length === 0;
}
