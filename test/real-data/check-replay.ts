// Checks values at the tip of an archive. Usage: node test/real-data/check-replay.ts FOLDER [SEED] [ft|nft]
// Indexes and builds FOLDER/replay/ft.tsv.gz and nft.tsv.gz in one run, in parts, and with interruptions. Each token
// must have the values that the Clarity VM returned at the archive's tip (FOLDER/replay/…-expected.json.gz).
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Reason } from '#model/failure.ts';
import { isUnproven } from '#model/token.ts';
import { Random } from '../support/random.ts';
import { runCli } from '../support/run-cli.ts';
import { readTree } from '../support/sample.ts';
import { type Checks, runChecks } from './checks.ts';

const GETTERS = {
  'get-name': 'name',
  'get-symbol': 'symbol',
  'get-decimals': 'decimals',
  'get-token-uri': 'token_uri',
};

interface Expected {
  /**
   * The values of a fungible token by getter, except public getters that were not read. For a collection, the URI
   * templates of some tokens by token number. Null for a missing value.
   */
  readonly after: Readonly<Record<string, string | null>>;
  readonly changed: readonly string[];
}

/** The members of a token's or collection's status that this script reads. */
interface Status {
  readonly values: Readonly<Record<string, { readonly failure?: Reason }>>;
  readonly exceptions?: readonly { readonly failure: Reason }[];
}

interface Block {
  readonly index_block_hash: string;
  readonly parent_index_block_hash: string;
  readonly block_height: number;
}

const KILLS = 10;
/** The maximum share of the compared values whose status marks them as unproven. */
const MAX_UNPROVEN = 0.05;

/** A function that checks the values of a contract in a site. */
type CheckResponses = (check: Checks['check'], site: string, contractId: string, after: Expected['after']) => void;

interface Replay extends Checks {
  readonly archive: string;
  readonly seed: number;
}

await runChecks('check-replay.ts FOLDER [SEED] [ft|nft]', 'replay/ft.tsv.gz', async (checks) => {
  const [, only] = checks.more;
  for (const [kind, checkResponses] of Object.entries({ ft: checkFungible, nft: checkCollection }))
    if (only === undefined || only === kind) await checkKind(checks, kind, checkResponses);
});

async function checkKind(checks: Checks, kind: string, checkResponses: CheckResponses): Promise<void> {
  const { input, more, work, check, ok } = checks;
  const unzip = (name: string) => gunzipSync(readFileSync(join(input, 'replay', name))).toString();
  const replay = { ...checks, archive: unzip(`${kind}.tsv.gz`), seed: Number(more[0] ?? '1') };
  const expected: Record<string, Expected> = JSON.parse(unzip(`${kind}-expected.json.gz`));
  writeFileSync(join(work, 'whole.tsv'), replay.archive);
  await ok('index', '--offline', '--db', 'whole.sqlite', '--archive', 'whole.tsv');
  await ok('build', '--db', 'whole.sqlite', '--out', 'whole');
  const site = join(work, 'whole');
  const reasons: Reason[] = [];
  for (const [contractId, { after }] of Object.entries(expected)) {
    checkResponses(check, site, contractId, after);
    const { values, exceptions = [] } = readResponse(site, `metadata/v1/status/${contractId}`) as unknown as Status;
    reasons.push(...[...Object.values(values), ...exceptions].flatMap(({ failure = [] }) => failure));
  }
  const all = Object.values(expected).flatMap(({ after }) => Object.keys(after)).length;
  const unproven = reasons.filter(isUnproven);
  const share = `${unproven.length} unproven values of ${all} compared`;
  check(`${kind}: ${share}`, unproven.length <= MAX_UNPROVEN * all, unproven.map(({ message }) => message).join('\n'));
  const changed = Object.values(expected).filter((values) => values.changed.length > 0).length;
  const count = Object.keys(expected).length;
  console.log(`${kind}: ${count} contracts, ${changed} changed; ${share}`);
  for (const [name, run] of Object.entries({
    pieces: replayInPieces,
    killed: replayKilled,
    moved: replayWithForksMoved,
  })) {
    await run(replay);
    check(`${kind}, ${name}: the same files`, sameTrees(site, join(work, name)));
  }
  for (const name of readdirSync(work)) rmSync(join(work, name), { recursive: true });
}

function readResponse(site: string, path: string): Readonly<Record<string, unknown>> | undefined {
  const file = join(site, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function checkFungible(...[check, site, contractId, after]: Parameters<CheckResponses>): void {
  const response = readResponse(site, `metadata/v1/ft/${contractId}`) ?? {};
  for (const [getter, name] of Object.entries(GETTERS)) {
    const value = after[getter];
    if (value === undefined) continue;
    const text = response[name] === undefined ? null : String(response[name]);
    check(`${contractId} ${getter}`, text === value, `${text}, expected ${value}`);
  }
}

function checkCollection(...[check, site, contractId, after]: Parameters<CheckResponses>): void {
  const list = readResponse(site, `metadata/v1/nft/${contractId}/pages/60/0.json`);
  const rows = (list?.results ?? []) as { token_id: string; token_uri?: string }[];
  const listed = new Map(rows.map((row) => [row.token_id, row]));
  for (const [number, template] of Object.entries(after)) {
    const uri = template?.replaceAll(/\{id\}|\$TOKEN_ID/gi, number);
    const response = readResponse(site, `metadata/v1/nft/${contractId}/${number}`);
    check(
      `${contractId} ${number}`,
      response !== undefined && response.token_uri === uri,
      `${JSON.stringify(response)}, expected ${uri}`,
    );
    const row = listed.get(number);
    if (Number(number) <= listed.size)
      check(`${contractId} ${number} in its list`, row?.token_uri === uri, JSON.stringify(row));
  }
}

/** Indexes an archive file that grows in parts of random length, and builds the site after each part. */
async function replayInPieces({ work, archive, seed, ok }: Replay): Promise<void> {
  const random = new Random(seed);
  const lines = archive.trimEnd().split('\n');
  const cuts = [random.below(lines.length), random.below(lines.length), random.below(lines.length)].sort(
    (a, b) => a - b,
  );
  for (const end of [...cuts, lines.length]) {
    writeFileSync(join(work, 'growing.tsv'), `${lines.slice(0, Math.max(1, end)).join('\n')}\n`);
    await ok('index', '--offline', '--db', 'pieces.sqlite', '--archive', 'growing.tsv');
    await ok('build', '--db', 'pieces.sqlite', '--out', 'pieces');
  }
}

/** Kills index runs at random times, some during an evaluation, then runs to the end. */
async function replayKilled({ work, seed, ok }: Replay): Promise<void> {
  const random = new Random(seed + 1);
  const args = ['index', '--offline', '--db', 'killed.sqlite', '--archive', 'whole.tsv'];
  for (let kills = 0; kills < KILLS; kills++) await runCli(args, { cwd: work, killAfterMs: random.within(200, 6_000) });
  await ok(...args);
  await ok('build', '--db', 'killed.sqlite', '--out', 'killed');
}

/** Moves the orphaned blocks of an archive to random later lines, and indexes and builds it. */
async function replayWithForksMoved({ work, archive, seed, ok }: Replay): Promise<void> {
  const random = new Random(seed + 2);
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
  writeFileSync(join(work, 'moved.tsv'), `${text.join('\n')}\n`);
  await ok('index', '--offline', '--db', 'moved.sqlite', '--archive', 'moved.tsv');
  await ok('build', '--db', 'moved.sqlite', '--out', 'moved');
}

function sameTrees(left: string, right: string): boolean {
  const [leftTree, rightTree] = [readTree(left), readTree(right)];
  const different = [...leftTree].filter(([path, text]) => rightTree.get(path) !== text).map(([path]) => path);
  const more = [...rightTree.keys()].filter((path) => !leftTree.has(path));
  if (different.length + more.length > 0) console.error([...different, ...more].slice(0, 20).join('\n'));
  return different.length + more.length === 0;
}
