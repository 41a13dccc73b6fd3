// The options about servers: nodes, APIs, gateways and time limits.
import { list, seconds, text, wholeNumber } from './setting.ts';

export const SOURCE_OPTIONS = {
  nodeUrl: text('--node-url <URL>', 'ask this node for on-chain values at its tip; in follow, for missed blocks'),
  apiUrl: text('--api-url <URL>', 'read contracts from this API, and values too unless a node is given'),
  apiKey: text(
    '--api-key <KEY>',
    'the key for the API, sent as x-api-key and stored nowhere; best set in the environment',
  ),
  rate: wholeNumber(
    '--rate <N>',
    'requests per minute to each server (default: 50 to a public one, 500 with a key, no limit to your own)',
    { least: 1 },
  ),
  wait: seconds('--wait <SECONDS>', 'how long to wait for retries when there is nothing else to do', { least: 0 }).or(
    60,
  ),
  concurrency: wholeNumber('--concurrency <N>', 'how many requests of each kind run at once', { least: 1 }).or(16),
};

export const TIMEOUTS = {
  connectTimeout: seconds('--connect-timeout <SECONDS>', 'how long a connection may take').or(10),
  idleTimeout: seconds('--idle-timeout <SECONDS>', 'how long a server may be silent').or(30),
  totalTimeout: seconds('--total-timeout <SECONDS>', 'how long a whole answer may take').or(60),
};

export const FETCH_OPTIONS = {
  ipfsGateway: list(
    '--ipfs-gateway <URL>',
    'fetch ipfs and ipns through this gateway; repeat it to try others (default: https://ipfs.io, https://dweb.link)',
  ),
  arweaveGateway: list(
    '--arweave-gateway <URL>',
    'fetch ar through this gateway; repeat it to try others (default: https://arweave.net)',
  ),
  allowHost: list(
    '--allow-host <HOST[:PORT]>',
    'let token URIs reach this host although it is not on the open web; may be repeated',
  ),
  maxDocumentBytes: wholeNumber('--max-document-bytes <N>', 'largest document to read, decompressed').or(1_000_000),
  ...TIMEOUTS,
};
