// The options of the commands: the names in the environment and in the configuration file derive from the flags.
import { InvalidArgumentError } from 'commander';
import { findHost } from '#hosts/all.ts';
import { isContractId } from '#model/principal.ts';
import { NFT_MODES, ONLY } from '#model/token.ts';
import { commandLine } from '#text/command-line.ts';
import { FETCH_OPTIONS, SOURCE_OPTIONS, TIMEOUTS } from './network-options.ts';
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
  if (path === ':memory:') throw new InvalidArgumentError('An index is kept in a file.');
  return parseText(path);
}).or('data/index.sqlite');
const out = text('--out <DIR>', 'the output folder').or('dist');
const port = wholeNumber('--port <PORT>', 'the port to listen on', { most: 65_535 }).or(3000);
const host = text('--host <HOST>', 'the address to listen on', parseAddress).or('127.0.0.1');

/** The value of `--refresh` without one. */
export const ALL = 'all';

/** `build` has a `--host` too, with another name elsewhere. */
function parseAddress(text: string): string {
  if (text.split(',').every((name) => findHost(name) === undefined)) return parseText(text);
  throw new InvalidArgumentError(
    'It is the address that serve listens on. What build writes files for is "build-host", or --host of build.',
  );
}

function parsePrincipal(text: string): string {
  if (text === ALL || isContractId(text)) return text;
  throw new InvalidArgumentError('It takes <contract address>.<contract name>, or nothing for every token.');
}

export const REPORTING_OPTIONS = {
  log: oneOf('--log <FORM>', 'how to report: as text, or as one JSON object per line', ['text', 'json']).or('text'),
  quiet: onOff('--quiet', 'report errors only'),
};

const FINALITY_OPTIONS = {
  finalBlocks: wholeNumber('--final-blocks <N>', 'blocks become final with at least this many linked blocks above', {
    least: 1,
  }).or(10_000),
  finalBurnBlocks: wholeNumber('--final-burn-blocks <N>', 'and with blocks of at least this many burn blocks above').or(
    200,
  ),
};

const contracts = list(
  '--contracts <FILE>',
  'look up the contracts listed in this file, one id per line (- for standard input); may be repeated',
);

const hosts = list(
  '--host <NAMES>',
  `also write the files of these static hosts, such as nginx,netlify; ${commandLine('hosts')} lists them`,
  { key: 'build-host' },
);

const replace = onOff('--replace', 'replace the site of another index, or a published site of another chain');

const endpoint = text('--endpoint <URL>', 'S3-compatible endpoint (default: AWS in the region)');
const region = text('--region <NAME>', 'the region of the bucket (default: AWS_REGION, or us-east-1)');

const json = onOff('--json', 'print JSON');
/** Of commands that read a site, or an API, to compare it. */
export const READING_OPTIONS = {
  rate: SOURCE_OPTIONS.rate,
  wait: SOURCE_OPTIONS.wait,
  concurrency: SOURCE_OPTIONS.concurrency,
  ...TIMEOUTS,
};

export const OPTIONS = {
  index: {
    db,
    archive: list(
      '--archive <FILE>',
      'replay an event archive (plain, gzip or zstd; - for standard input); may be repeated',
    ),
    contracts,
    discover: oneOf('--discover <WHAT>', "find contracts in the API's own list: ft, of fungible tokens", ['ft']),
    ...SOURCE_OPTIONS,
    offline: onOff('--offline', 'record what needs the network as not fetched instead of leaving it queued'),
    fetch: onOff('--no-fetch', 'leave what needs the network queued, and do not suggest another run for it'),
    vm: onOff('--no-vm', 'do not evaluate tokens in the Clarity VM; they stay queued'),
    maxCalls: wholeNumber('--max-calls <N>', 'replay at most this many contract calls for a token').or(100_000),
    vmTimeout: seconds(
      '--vm-timeout <SECONDS>',
      'processor time that the first attempt to evaluate a token may take; the next three may take 2, 4 and 8 times as much',
    ).or(20),
    nft: oneOf(
      '--nft <HOW-FAR>',
      'how much to index of NFTs and SFTs: nothing, URIs, also documents, also images',
      NFT_MODES,
    ).or('uris'),
    maxNftTokens: wholeNumber('--max-nft-tokens <N>', 'keep at most this many tokens of a collection').or(50_000),
    skipBroken: onOff('--skip-broken', 'skip and count broken archive lines instead of stopping'),
    ...FINALITY_OPTIONS,
    rebuild: onOff('--rebuild', 'start a fresh index; keep the old file as FILE.kept-1 and reuse fetched data'),
    refresh: list(
      '--refresh [PRINCIPAL...]',
      'read the values, metadata and images of these tokens again, or of every token if none is named',
      { parse: parsePrincipal },
    ).preset(ALL),
    maxAgeMs: duration('--max-age <DURATION>', 'read again whatever is older than this: 90s, 15m, 12h, 7d'),
    images: onOff('--no-images', 'do not copy images; they stay queued'),
    maxImageBytes: wholeNumber('--max-image-bytes <N>', 'largest image to copy').or(10_000_000),
    maxImagePixels: wholeNumber('--max-image-pixels <N>', 'the most pixels that a copied image may have').or(
      50_000_000,
    ),
    ...FETCH_OPTIONS,
  },
  build: {
    db,
    out,
    publicUrl: text('--public-url <URL>', 'where the site will be served, for absolute URIs of its own files'),
    hosts,
    only: oneOf('--only <WHAT>', 'build only tokens, or only those of one standard, with their contracts', ONLY),
    dump: onOff('--dump', 'also write tables of it all into dump/, as Parquet and NDJSON; name it at every build'),
    full: onOff('--full', 'render and compare everything, even what is not known to have changed'),
    verify: onOff('--verify', 'hash every file on disk, and repair those that differ from what was written'),
    replace,
  },
  publish: {
    out,
    to: text('--to <TARGET>', 'the target: s3://bucket, s3://bucket/prefix, or file:folder'),
    endpoint,
    region,
    maxDeletes: wholeNumber('--max-deletes <N>', 'the most files that may be removed').or(1_000),
    replace,
    takeOver: onOff('--take-over', 'continue a publish that died on another machine'),
    dryRun: onOff('--dry-run', 'print what would be sent and removed, without changing anything'),
    requests: wholeNumber('--requests <N>', 'how many requests run at once', { least: 1, most: 256 }).or(32),
  },
  follow: {
    db,
    out,
    spool: text('--spool <DIR>', 'the folder of the archive that follow writes').or('data/spool'),
    spoolFileBytes: wholeNumber('--spool-file-bytes <N>', 'the size at which the archive gets another file', {
      least: 1_000,
    }).or(256_000_000),
    listen: text('--listen <HOST:PORT>', 'the address to which the node posts its events').or('127.0.0.1:3700'),
    allowFrom: list('--allow-from <CIDR>', 'addresses that may post, besides this machine; may be repeated'),
    allowName: list(
      '--allow-name <HOST>',
      'a name with a dot, such as follower.example.org, by which the node knows this machine; may be repeated',
    ),
    every: duration('--every <TIME>', 'how often to index new events, such as 60s (default: 60s)', { isTimer: true }),
    nodeUrl: SOURCE_OPTIONS.nodeUrl,
    nodeAuth: text('--node-auth <TOKEN>', 'the auth_token of that node, needed to request missed blocks'),
    ...FINALITY_OPTIONS,
    build: onOff('--build', 'also build the site after each run'),
    publish: text('--publish <TARGET>', 'also publish the site to this target, as publish --to does'),
    endpoint,
    region,
  },
  serve: { out, port, host },
  status: {
    db,
    json,
    failures: onOff('--failures', 'list every failure of a token, and when it is tried again'),
  },
  show: { db, json },
  find: {
    db,
    json,
    limit: wholeNumber('--limit <N>', 'show at most so many tokens, and so many contracts', { least: 1 }).or(20),
  },
  verify: {
    out,
    json,
    read: wholeNumber('--read <N>', 'how many answers to read where nothing is known to differ').or(100),
    all: onOff('--all', 'read every answer'),
    ...READING_OPTIONS,
  },
  compare: {
    db,
    json,
    sample: wholeNumber('--sample <N>', 'compare so many answers, the same ones each time', { least: 1 }).or(200),
    contracts,
    apiKey: SOURCE_OPTIONS.apiKey,
    ...READING_OPTIONS,
  },
  hosts: {},
  start: { db, out, port, host },
} as const satisfies Readonly<Record<string, SettingGroup>>;

export type SettingsOf<Name extends keyof typeof OPTIONS> = Settings<(typeof OPTIONS)[Name]>;

/** Every option once, those of the program first. */
export const ALL_OPTIONS: readonly Setting[] = [
  ...new Set([REPORTING_OPTIONS, ...Object.values(OPTIONS)].flatMap((group) => Object.values<Setting>(group))),
];
