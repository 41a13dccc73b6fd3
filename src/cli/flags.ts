// Every flag of every command: its name, what it takes and what it is for. Environment and configuration names derive from it.

export type FlagKind = 'switch' | 'text' | 'list' | 'number';

export interface Flag {
  /** As on the command line, without the dashes. */
  readonly name: string;
  readonly kind: FlagKind;
  /** What the help calls the value: `FILE`. */
  readonly value?: string;
  readonly summary: string;
  readonly default?: string | number;
  readonly choices?: readonly string[];
  /** Least value of a number. */
  readonly least?: number;
  /** Its name in the environment and the configuration, where two commands have a flag of this name. */
  readonly setting?: string;
  /** Whether a list takes several values at once, or none, which means all. */
  readonly variadic?: true;
}

/** What a variadic flag without a value stands for. */
export const ALL = 'all';

export const FLAGS = {
  db: { name: 'db', kind: 'text', value: 'FILE', summary: 'the index', default: 'data/index.sqlite' },
  archive: {
    name: 'archive',
    kind: 'list',
    value: 'FILE',
    summary: 'replay an event archive, plain, gzip or zstd; - is standard input; may be repeated',
  },
  nodeUrl: {
    name: 'node-url',
    kind: 'text',
    value: 'URL',
    summary: 'read on-chain values from this node, at its tip',
  },
  apiUrl: {
    name: 'api-url',
    kind: 'text',
    value: 'URL',
    summary: 'read contracts from this API, and values too unless a node is given',
  },
  apiKey: {
    name: 'api-key',
    kind: 'text',
    value: 'KEY',
    summary: 'sent to the API as x-api-key, and kept nowhere; better set in the environment',
  },
  contracts: {
    name: 'contracts',
    kind: 'list',
    value: 'FILE',
    summary: 'ask the API about the contracts in this file, an id a line; may be repeated',
  },
  discover: {
    name: 'discover',
    kind: 'text',
    value: 'WHAT',
    summary: "find contracts in the API's own list: of fungible tokens (ft)",
    choices: ['ft'],
  },
  rate: {
    name: 'rate',
    kind: 'number',
    value: 'N',
    least: 1,
    summary:
      'requests a minute to the node and to the API (default: 50 to one on the open web, 500 with a key, no limit to your own)',
  },
  wait: {
    name: 'wait',
    kind: 'number',
    value: 'SECONDS',
    summary: 'how long to wait, with nothing else to do, for what is tried again',
    default: 60,
  },
  offline: {
    name: 'offline',
    kind: 'switch',
    summary: 'settle what would need the network, instead of leaving it for later',
  },
  noFetch: {
    name: 'no-fetch',
    kind: 'switch',
    summary: 'leave what needs the network queued, and do not ask for another run because of it',
  },
  ipfsGateway: {
    name: 'ipfs-gateway',
    kind: 'list',
    value: 'URL',
    summary:
      'fetch ipfs and ipns through this gateway; may be repeated, and is tried in order (default: https://ipfs.io, https://dweb.link)',
  },
  arweaveGateway: {
    name: 'arweave-gateway',
    kind: 'list',
    value: 'URL',
    summary: 'fetch ar through this gateway; may be repeated (default: https://arweave.net)',
  },
  allowHost: {
    name: 'allow-host',
    kind: 'list',
    value: 'HOST[:PORT]',
    summary: 'let token URIs reach this host too, though it is not on the open web; may be repeated',
  },
  concurrency: {
    name: 'concurrency',
    kind: 'number',
    value: 'N',
    least: 1,
    summary: 'how many requests of a kind are made at once',
    default: 16,
  },
  maxDocumentBytes: {
    name: 'max-document-bytes',
    kind: 'number',
    value: 'N',
    summary: 'largest metadata document that is read, after decompression',
    default: 1_000_000,
  },
  refresh: {
    name: 'refresh',
    kind: 'list',
    value: 'PRINCIPAL',
    variadic: true,
    summary: 'read what is known of these tokens again: values, metadata, images; of every token, if none is named',
  },
  maxAge: {
    name: 'max-age',
    kind: 'text',
    value: 'DURATION',
    summary: 'read again what is older than this: 90s, 15m, 12h, 7d',
  },
  noImages: { name: 'no-images', kind: 'switch', summary: 'make no copies of images; they stay queued' },
  maxImageBytes: {
    name: 'max-image-bytes',
    kind: 'number',
    value: 'N',
    summary: 'largest image that is copied',
    default: 10_000_000,
  },
  maxImagePixels: {
    name: 'max-image-pixels',
    kind: 'number',
    value: 'N',
    summary: 'most pixels of an image that is copied',
    default: 50_000_000,
  },
  connectTimeout: {
    name: 'connect-timeout',
    kind: 'number',
    value: 'SECONDS',
    summary: 'how long a connection may take',
    default: 10,
  },
  idleTimeout: {
    name: 'idle-timeout',
    kind: 'number',
    value: 'SECONDS',
    summary: 'how long a server may be silent',
    default: 30,
  },
  totalTimeout: {
    name: 'total-timeout',
    kind: 'number',
    value: 'SECONDS',
    summary: 'how long an answer may take in all',
    default: 60,
  },
  noVm: { name: 'no-vm', kind: 'switch', summary: 'do not evaluate tokens in the Clarity VM; they stay queued' },
  rebuild: {
    name: 'rebuild',
    kind: 'switch',
    summary: 'start a fresh index; the old file is kept beside it, as FILE.kept-1',
  },
  skipBroken: {
    name: 'skip-broken',
    kind: 'switch',
    summary: 'pass over broken archive lines and count them, instead of stopping',
  },
  out: { name: 'out', kind: 'text', value: 'DIR', summary: 'the output folder', default: 'dist' },
  publicUrl: {
    name: 'public-url',
    kind: 'text',
    value: 'URL',
    summary: 'where the site will be served, for absolute URIs of its own files',
  },
  only: {
    name: 'only',
    kind: 'text',
    value: 'WHAT',
    summary: 'build only the routes about tokens',
    choices: ['tokens'],
  },
  buildHost: {
    name: 'host',
    setting: 'build-host',
    kind: 'list',
    value: 'NAMES',
    summary: 'write the files of these static hosts too, such as nginx,netlify; stxpress hosts lists them',
  },
  full: {
    name: 'full',
    kind: 'switch',
    summary: 'render everything and compare, even what is not known to have changed',
  },
  verify: {
    name: 'verify',
    kind: 'switch',
    summary: 'hash every file on the disk, and mend what is not as it was written',
  },
  dir: { name: 'dir', kind: 'text', value: 'DIR', summary: 'the folder to serve', default: 'dist' },
  port: { name: 'port', kind: 'number', value: 'PORT', summary: 'the port to listen on', default: 3000 },
  host: { name: 'host', kind: 'text', value: 'HOST', summary: 'the address to listen on', default: '127.0.0.1' },
  failures: { name: 'failures', kind: 'switch', summary: 'list every failure of a token, and when it is tried again' },
  json: { name: 'json', kind: 'switch', summary: 'print JSON' },
  log: {
    name: 'log',
    kind: 'text',
    value: 'FORM',
    summary: 'how to report: text, or json for a JSON object a line',
    default: 'text',
    choices: ['text', 'json'],
  },
  quiet: { name: 'quiet', kind: 'switch', summary: 'report errors only' },
} as const satisfies Record<string, Flag>;

export type FlagKey = keyof typeof FLAGS;

/** What the configuration calls a flag. */
export function settingName(flag: Flag): string {
  return flag.setting ?? flag.name;
}

/** `STXPRESS_PUBLIC_URL` for `public-url`. */
export function environmentName(flag: Flag): string {
  return `STXPRESS_${settingName(flag).toUpperCase().replaceAll('-', '_')}`;
}
