// The options of the commands. Their names in the environment and in the configuration file derive from the flags.
import { InvalidArgumentError } from 'commander';
import { isContractId } from '#model/principal.ts';
import { isBlank } from '#model/shown-name.ts';
import { NFT_MODES, ONLY } from '#model/token.ts';
import { FETCH_OPTIONS, READING_OPTIONS, SEED_OPTIONS, SOURCE_OPTIONS } from './network-options.ts';
import {
  duration,
  list,
  oneOf,
  onOff,
  parseText,
  type Setting,
  type SettingGroup,
  type Settings,
  seconds,
  text,
  wholeNumber,
} from './setting.ts';

const db = text('--db <FILE>', 'the index file', (path) => {
  if (path === ':memory:')
    throw new InvalidArgumentError('Use a file: an index in memory is lost at the end of the run.');
  return parseText(path);
}).withDefault('data/index.sqlite');
const out = text('--out <DIR>', 'the output folder').withDefault('dist');
const publicUrl = text('--public-url <URL>', 'the URL of the published site, for absolute URIs of its files');
const port = wholeNumber('--port <PORT>', 'the port to listen on', { max: 65_535 }).withDefault(3000);
const host = text('--host <HOST>', 'the address to listen on').withDefault('127.0.0.1');

/** The maximum length of the name of a site, which every header draws. */
const MAX_NAME = 40;

function parseName(text: string): string {
  if (!isBlank(text) && text.length <= MAX_NAME && !/\p{Cc}/u.test(text)) return text.trim();
  throw new InvalidArgumentError(`Use 1 to ${MAX_NAME} characters on one line.`);
}

/** The value of `--refresh` without an argument. */
export const ALL = 'all';

function parsePrincipal(text: string): string {
  if (text === ALL || isContractId(text)) return text;
  throw new InvalidArgumentError('Use <contract address>.<contract name>, or no value for every token.');
}

export const REPORTING_OPTIONS = {
  quiet: onOff('--quiet', 'print only errors'),
};

const finalBlocks = wholeNumber('--final-blocks <N>', 'number of blocks at the tip that are not final', {
  min: 1,
}).withDefault(10_000);

const archive = list(
  '--archive <FILE>',
  'an event archive to read (plain, gzip or zstd; - for standard input); may be repeated',
);
export const DEFAULT_SPOOL = 'data/spool';
const spool = text('--spool <DIR>', 'the folder for the archive of events that follow receives').withDefault(
  DEFAULT_SPOOL,
);

const contracts = list(
  '--contracts <FILE>',
  'a file of contracts to look up, one id per line (- for standard input); may be repeated',
);

const buildSeed = text(
  '--with-seed <DIR>',
  'also include a seed in the site, in seed/; pass this option to every build',
);

const hosts = list(
  '--hosts <NAMES>',
  'also write the configuration files of these static hosts, such as nginx,netlify; docs/hosts.md lists them',
);

const replace = onOff('--replace', 'replace the site of another index, or a published site of another chain');

const endpoint = text('--endpoint <URL>', 'an S3-compatible endpoint (default: AWS in the region)');
const region = text('--region <NAME>', 'the region of the bucket at AWS (default: AWS_REGION)');

const json = onOff('--json', 'print JSON');
export const OPTIONS = {
  index: {
    db,
    archive,
    ...SEED_OPTIONS,
    contracts,
    discover: oneOf('--discover <WHAT>', "find contracts in the API's list of tokens: ft, fungible tokens", ['ft']),
    ...SOURCE_OPTIONS,
    offline: onOff(
      '--offline',
      'use no network: mark documents and images as not fetched; a later run without this option fetches them',
    ),
    vm: onOff('--no-vm', 'do not evaluate tokens in the Clarity VM; they stay queued'),
    maxCalls: wholeNumber('--max-calls <N>', 'maximum number of contract calls to replay for a token').withDefault(
      100_000,
    ),
    vmTimeout: seconds(
      '--vm-timeout <SECONDS>',
      'limit of processor time to evaluate a token; a token that exceeds it is evaluated again with a higher limit',
    ).withDefault(5),
    nft: oneOf(
      '--nft <HOW-FAR>',
      'the data of NFTs and SFTs to index: nothing, URIs, also documents, also images',
      NFT_MODES,
    ).withDefault('uris'),
    maxNftTokens: wholeNumber('--max-nft-tokens <N>', 'maximum number of tokens of a collection to index').withDefault(
      50_000,
    ),
    skipBroken: onOff('--skip-broken', 'skip and count broken archive lines instead of stopping'),
    finalBlocks,
    rebuild: onOff(
      '--rebuild',
      'create a new index; rename the old file to FILE.kept-1 and reuse its documents and images',
    ),
    refresh: list(
      '--refresh [PRINCIPAL...]',
      'read the values, metadata and images of these tokens again, or of every token if none is named',
      { parse: parsePrincipal },
    ).preset(ALL),
    maxAgeMs: duration(
      '--max-age <DURATION>',
      'read values, metadata and images again that are older than this: 90s, 15m, 12h, 7d',
    ),
    images: onOff('--no-images', 'do not copy images; they stay queued'),
    maxImageBytes: wholeNumber('--max-image-bytes <N>', 'maximum size of an image to copy').withDefault(10_000_000),
    ...FETCH_OPTIONS,
  },
  build: {
    db,
    out,
    publicUrl,
    name: text('--name <TEXT>', 'the name of the site in titles, headers and link previews', parseName).withDefault(
      'stxpress',
    ),
    hosts,
    only: oneOf(
      '--only <WHAT>',
      'build only tokens, or only fungible, non-fungible or semi-fungible tokens, with their contracts',
      ONLY,
    ),
    dump: onOff('--dump', 'also export all data to dump/ as Parquet and NDJSON; pass this option to every build'),
    seed: buildSeed,
    overlay: text('--overlay <DIR>', 'a folder with curated facts about contracts; pass this option to every build'),
    full: onOff('--full', 'render all files, and repair those on the disk that differ'),
    replace,
  },
  publish: {
    out,
    to: text('--to <TARGET>', 'the target: s3://bucket or s3://bucket/prefix'),
    endpoint,
    region,
    maxDeletes: wholeNumber('--max-deletes <N>', 'maximum number of files to remove').withDefault(1_000),
    replace,
    dryRun: onOff('--dry-run', 'print the files to upload and remove, without changing anything'),
  },
  follow: {
    db,
    out,
    spool,
    spoolFileBytes: wholeNumber('--spool-file-bytes <N>', 'the size after which a new file of the archive begins', {
      min: 1_000,
    }).withDefault(256_000_000),
    listen: text('--listen <HOST:PORT>', 'the address to which the node posts its events').withDefault(
      '127.0.0.1:3700',
    ),
    allowFrom: list('--allow-from <CIDR>', 'addresses other than this machine that may post; may be repeated'),
    allowName: list(
      '--allow-name <HOST>',
      'a host name with a dot that the node uses for this machine, such as follower.example.org; may be repeated',
    ),
    every: duration('--every <TIME>', 'the time between two index runs, such as 15s (default: 60s)', { isTimer: true }),
    nodeUrl: SOURCE_OPTIONS.nodeUrl,
    nodeAuth: text('--node-auth <TOKEN>', 'the auth_token of the node, needed to request missed blocks'),
    finalBlocks,
    seed: text('--write-seed <DIR>', 'also write a seed to this folder after each run'),
    archive: list('--archive <FILE>', 'for --write-seed: an archive that was indexed before; may be repeated', {
      key: 'follow-archive',
    }),
    build: onOff('--build', 'also build the site after each run'),
    publish: text('--publish <TARGET>', 'also publish the site to this target, in the form of publish --to'),
    endpoint,
    region,
  },
  seed: {
    db,
    archive,
    spool,
    out: text('--out <DIR>', 'the folder for the seed', parseText, 'seed-out').withDefault('data/seed'),
  },
  serve: { out, port, host },
  status: {
    db,
    json,
    failures: onOff('--failures', 'list every failure of a token, with the time of the next attempt'),
  },
  show: { db, json },
  compare: {
    db,
    json,
    sample: wholeNumber('--sample <N>', 'number of responses to compare, the same in every run', {
      min: 1,
    }).withDefault(200),
    contracts,
    apiKey: SOURCE_OPTIONS.apiKey,
    ...READING_OPTIONS,
  },
  start: { db, out, port, host },
} as const satisfies Readonly<Record<string, SettingGroup>>;

export type SettingsOf<Name extends keyof typeof OPTIONS> = Settings<(typeof OPTIONS)[Name]>;

/** All options without duplicates, beginning with the options of the program. */
export const ALL_OPTIONS: readonly Setting[] = [
  ...new Set([REPORTING_OPTIONS, ...Object.values(OPTIONS)].flatMap((group) => Object.values<Setting>(group))),
];
