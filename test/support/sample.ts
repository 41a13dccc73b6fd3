// Makes indexes and builds of the bundled sample for tests. Returns the expected files of a build from
// test/expected/sample.
import { hash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll } from 'vitest';
import { fixedPart } from '#layout/response-files.ts';
import type { Route } from '#routes/route.ts';
import { partSource } from '#serving/rules.ts';
import { buildIndex, buildOptions } from './build-options.ts';
import { indexInto } from './index-options.ts';
import { madeOnce } from './made-once.ts';
import { okOf, runWarm } from './run-cli.ts';
import { tempFolder, tempFolderForFile } from './temp-folder.ts';

export const SAMPLE_ARCHIVE = fileURLToPath(new URL('../../data/sample/chain.tsv', import.meta.url));
export const PRESSER = 'ST2JK0QTH4RWPFTBHRKBPPFVYQKA3JKKNQ0GBT94T';
export const COLLECTOR = 'ST358QDGY4J6V9NVCE5VR2XJKR6GSYS9FW21FP3X';
/** Ids of fungible tokens. `MISSING` is not part of the sample. */
export const PRESS = `${PRESSER}.press-token`;
export const PENDING = `${PRESSER}.pending-token`;
export const SILENT = `${PRESSER}.silent-token`;
export const WRAPPED = `${COLLECTOR}.wrapped-token`;
export const MISSING = 'SP000000000000000000002Q6VF78.nothing';

const CONTRACTS = new URL('../../data/sample/contracts/', import.meta.url);
const EXPECTED = fileURLToPath(new URL('../expected/sample/', import.meta.url));
const contractsIn = (folder: string) => readdirSync(join(EXPECTED, folder)).filter((name) => name.startsWith('ST'));
const collections = [...contractsIn('metadata/v1/nft'), ...contractsIn('metadata/v1/sft')];
/** The number of contracts, of fungible tokens and of collections in the sample. */
export const SAMPLE = {
  contracts: contractsIn('extended/v1/contract').length,
  tokens: contractsIn('metadata/v1/status').length - collections.length,
  collections: collections.length,
};

/** Writes an index of the sample to a file, without a source of documents: those outside `data:` URIs stay queued. */
export async function indexSample(db: string, { vm = true } = {}): Promise<void> {
  const made = await madeOnce(`index-${vm}.sqlite`, async (path) => {
    await indexInto(path, { archives: [SAMPLE_ARCHIVE], vm, concurrency: 1 });
  });
  mkdirSync(dirname(db), { recursive: true });
  copyIndex(made, db);
}

/** Writes an index of the sample for all tests of a file, and returns its path. Call it outside a test. */
export function sampleIndex(): string {
  const db = join(tempFolderForFile(), 'index.sqlite');
  beforeAll(() => indexSample(db));
  return db;
}

/** Returns the path of a build of the sample ({@link buildOptions}). Tests share this build and must not change it. */
function builtSample(vm: boolean): Promise<string> {
  return madeOnce(`build-${vm}`, async (path) => {
    const db = `${path}.sqlite`;
    await indexSample(db, { vm });
    await buildIndex(db, path);
  });
}

/** Copies a build of the sample to the folder `out`. */
export async function buildSample(out: string, { vm = true } = {}): Promise<void> {
  cpSync(await builtSample(vm), out, { recursive: true, preserveTimestamps: true });
}

/** Returns the files of the site that the commands make of the sample without a network, by path. */
export async function offlineSample(): Promise<Map<string, string>> {
  const cwd = tempFolder();
  okOf(await runWarm(['index', '--offline'], { cwd }));
  okOf(await runWarm(['build'], { cwd }));
  return readTree(join(cwd, 'dist'));
}

/** Returns all files of a build of the sample, by path. */
export async function sampleTree({ vm = true } = {}): Promise<Map<string, string>> {
  return readTree(await builtSample(vm));
}

export function copyIndex(from: string, to: string): string {
  copyFileSync(from, to);
  return to;
}

/** Reads the sample's archive by simple code. Returns the last successful deploy of each contract name. */
export function sampleDeploys() {
  const deploys = new Map<string, { readonly txId: string; readonly interface: unknown }>();
  const sources = readdirSync(CONTRACTS).map((file) => [file, readFileSync(new URL(file, CONTRACTS))] as const);
  for (const line of readFileSync(SAMPLE_ARCHIVE, 'utf8').trim().split('\n')) {
    const payload = JSON.parse((line.split('\t')[3] ?? '').replaceAll('\\\\', '\\')) as {
      transactions?: Record<string, unknown>[];
    };
    for (const transaction of payload.transactions ?? []) {
      const contractInterface = transaction.contract_interface ?? transaction.contract_abi;
      if (contractInterface === null || contractInterface === undefined) continue;
      const raw = Buffer.from(String(transaction.raw_tx).slice(2), 'hex');
      const [file] = sources.find(([, source]) => raw.includes(source)) ?? [];
      if (file === undefined) continue;
      const txId = `0x${hash('sha512-256', raw)}`;
      deploys.set(file.replace('.clar', ''), { txId, interface: contractInterface });
    }
  }
  return deploys;
}

/**
 * Returns the expected responses of a build of the sample, by path. Ids and sources come from the archive and the
 * contracts.
 */
export function expectedSample(): Map<string, string> {
  const texts = new Map([...sampleTexts()].map(([text, name]) => [name, text]));
  const fill = (body: string) => JSON.stringify(JSON.parse(body, (_key, value) => texts.get(value) ?? value));
  return new Map([...readTree(EXPECTED)].map(([path, body]) => [path, fill(body)]));
}

/** Converts a build of the sample to the files of test/expected/sample, which {@link expectedSample} converts back. */
export function toExpected(tree: ReadonlyMap<string, string>): Map<string, string> {
  const names = sampleTexts();
  const name = (body: string): unknown => JSON.parse(body, (_key, text) => names.get(text) ?? text);
  const responses = [...tree].filter(([path]) => isResponse(path));
  return new Map(responses.map(([path, body]) => [path, `${JSON.stringify(name(body), null, 2)}\n`]));
}

/**
 * Returns the ids, sources and interfaces in responses, each with the name that replaces it in test/expected/sample.
 */
function sampleTexts(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, { txId, interface: contractInterface }] of sampleDeploys()) {
    texts.set(txId, `tx of ${name}`);
    texts.set(readFileSync(new URL(`${name}.clar`, CONTRACTS), 'utf8'), `source of ${name}`);
    texts.set(JSON.stringify(contractInterface), `interface of ${name}`);
  }
  return texts;
}

/** True if the file at a path of a build is an API response, not a page for people or a file for hosts. */
export function isResponse(path: string): boolean {
  return (
    /^(?:(?:metadata|extended|v2|search|graph|variants|errors)\/|changes\.json$)/.test(path) &&
    !path.endsWith('.schema.json')
  );
}

/** True if a path is a response of this route. False for variants of responses. */
export function isResponseOf(route: Route, path: string): boolean {
  if (route.isFile) return path === route.path;
  const fixed = `${fixedPart(route)}/`;
  return path.startsWith(fixed) && formOf(route).test(path.slice(fixed.length));
}

/** Returns a pattern for the paths of a route's responses, without the fixed part at their beginning. */
function formOf({ parameters, list }: Pick<Route, 'parameters' | 'list'>): RegExp {
  const patterns = parameters.map(({ pattern }) => partSource(pattern));
  const files = parameters.length > 0 && list === undefined ? [] : ['(?:index|pages/\\d+/\\d+)\\.json'];
  return new RegExp(`^${[...patterns, ...files].join('/')}$`);
}

/** Returns the sorted paths of all files in a folder and its subfolders, except the build's internal files. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('.stxpress'))
    .sort();
}

/** Returns the text of all files of a build, by path. */
export function readTree(folder: string): Map<string, string> {
  return new Map(filesBelow(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
