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
}

export const FLAGS = {
  db: { name: 'db', kind: 'text', value: 'FILE', summary: 'the index', default: 'data/index.sqlite' },
  archive: {
    name: 'archive',
    kind: 'list',
    value: 'FILE',
    summary: 'replay an event archive, plain, gzip or zstd; - is standard input; may be repeated',
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
  noVm: { name: 'no-vm', kind: 'switch', summary: 'do not evaluate tokens in the Clarity VM; they stay queued' },
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

/** `STXPRESS_PUBLIC_URL` for `public-url`. */
export function environmentName(flag: Flag): string {
  return `STXPRESS_${flag.name.toUpperCase().replaceAll('-', '_')}`;
}
