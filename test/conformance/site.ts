// Builds a site for all servers. It has the sample, contracts with names like file types, contracts whose names differ
// only in case, and enough tokens for three pages.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTS } from '#hosts/all.ts';
import { indexInto } from '../support/index-options.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';
import { okOf, runWarm } from '../support/run-cli.ts';
import { COLLECTOR, PRESSER, SAMPLE, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { sampleBlock } from '../support/sample-block.ts';
import { tokenSource } from '../support/token-source.ts';
import { addressOn, deployJson, line, microblocksJson } from '../support/transactions.ts';
import type { BuiltSite } from './servers/running-host.ts';

/** Contract names that a server may take for a content type, an encoding, a language or the index page of a folder. */
export const TYPE_NAMES = 'html htm js css gz br zst fr de var json png svg index php cgi txt'.split(' ');
export const CASE_PAIRS = 28;
export const CASE_NAMES = Array.from({ length: CASE_PAIRS }, (_, index) => [`Pair-${index}`, `pAIR-${index}`]).flat();
export const EXTRA_TOKENS = 45;
/** The number of tokens in the list. Two tokens of the sample and `Mute` are not listed, because their getters fail. */
export const TOKENS = SAMPLE.tokens - 2 + TYPE_NAMES.length + EXTRA_TOKENS + 1;
const LOCALIZED_TOKEN = 'token-0';
/** The path of a file with the form of an image copy's path. The file is not an image. */
export const IMAGE = `images/${'ab'.repeat(32)}.png`;
export const THUMBNAIL = `images/${'ab'.repeat(32)}.thumb.webp`;

/** The account that deploys the contracts that are not part of the sample. */
export const DEPLOYER = addressOn(0x53545850);

const FT = '/metadata/v1/ft';
const CONTRACT = '/extended/v1/contract';
const INTERFACE = '/v2/contracts/interface';
const NFT = '/metadata/v1/nft';
const SFT = '/metadata/v1/sft';
const STAMPS = `${NFT}/${COLLECTOR}.stamp-nft`;
const SHEETS = `${SFT}/${COLLECTOR}.sheet-sft`;
const PRESS = `${FT}/${PRESSER}.press-token`;
const UNCONFIRMED = `${INTERFACE}/${DEPLOYER}/unconfirmed`;
const LOCALIZED = `${FT}/${DEPLOYER}.${LOCALIZED_TOKEN}`;
const EVERY_TYPE = `${INTERFACE}/${PRESSER}/every-type`;
export const SEED_MANIFEST_PATH = 'seed/index.json';
export const SEED_PART = 'seed/0-7-0123456789abcdef.tsv.zst';
/** The paths that tests request. */
export const PATHS = { CONTRACT, EVERY_TYPE, FT, INTERFACE, LOCALIZED, NFT, PRESS, SFT, SHEETS, STAMPS, UNCONFIRMED };

const CHAIN = { chainId: 0x53545850, clarityVersion: 2 };

/** The URI of a document with a locale for Latin American Spanish, whose code `419` has only digits. */
const SPANISH = `data:application/json,${encodeURIComponent(
  JSON.stringify({
    name: 'One',
    localization: {
      uri: 'data:application/json,%7B%22name%22:%22Uno%20{locale}%22%7D',
      default: 'en',
      locales: ['en', '419'],
    },
  }),
)}`;

/** Indexes the chain of the site into `<folder>/index.sqlite`. */
export async function indexSite(folder: string): Promise<void> {
  const archive = join(folder, 'chain.tsv');
  writeFileSync(archive, readFileSync(SAMPLE_ARCHIVE, 'utf8') + extraLines());
  await indexInto(join(folder, 'index.sqlite'), { archives: [archive], vm: true });
}

/** Builds the site for all hosts together, because each host must hide the other hosts' files. */
export async function buildSite(folder: string): Promise<BuiltSite> {
  const dist = join(folder, 'dist');
  const hosts = HOSTS.map(({ name }) => name).join();
  okOf(await runWarm(['build', '--dump', '--db', 'index.sqlite', '--out', dist, '--hosts', hosts], { cwd: folder }));
  mkdirSync(join(dist, 'images'), { recursive: true });
  for (const path of [IMAGE, THUMBNAIL]) writeFileSync(join(dist, path), 'no image');
  mkdirSync(join(dist, 'seed'));
  writeFileSync(join(dist, SEED_MANIFEST_PATH), '{}');
  writeFileSync(join(dist, SEED_PART), 'no part');
  return { dist, hosts: `${dist}-hosts` };
}

function extraLines(): string {
  const numbered = Array.from({ length: EXTRA_TOKENS }, (_, index) => `token-${index}`);
  const nameGetter = (name: string) => ({ 'get-name': `(ok "Token ${name}")` });
  const localized = { 'get-token-uri': `(ok (some u"${SPANISH}"))` };
  const plain = CASE_NAMES.map((name) => [name, `(define-constant n "${name}")`] as const);
  const tokens = [...TYPE_NAMES, ...numbered].map((name) => {
    const getters = { ...nameGetter(name), ...(name === LOCALIZED_TOKEN ? localized : {}) };
    return [name, tokenSource(getters)] as const;
  });
  // The getters of `Mute` fail. `mUTE`, whose name differs only in case, is a normal token.
  const pair = [
    ['Mute', tokenSource().replaceAll(/\(ok [^)]+\)/g, '(err u1)')],
    ['mUTE', tokenSource(nameGetter('mUTE'))],
  ] as const;
  const deploys = [
    ...plain.map((contract) => [...contract, {}] as const),
    ...[...tokens, ...pair].map((contract) => [...contract, { interface: TOKEN_INTERFACE }] as const),
    ['unconfirmed', '(define-constant a u1)', { interface: EMPTY_INTERFACE }] as const,
  ].map(([name, source, more], nonce) => deployJson(name, source, { ...CHAIN, ...more, nonce }));
  const unconfirmed = deploys.splice(-1);
  return sampleBlock(deploys, []) + line('/new_microblocks', microblocksJson('more', unconfirmed));
}
