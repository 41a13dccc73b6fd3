// Options about servers: nodes, APIs and gateways.
import { InvalidArgumentError } from 'commander';
import { list, onOff, seconds, text, wholeNumber } from './setting.ts';

export const SOURCE_OPTIONS = {
  nodeUrl: text(
    '--node-url <URL>',
    'the node to read on-chain values from, at its tip; for follow, the node to request missed blocks from',
  ),
  apiUrl: text('--api-url <URL>', 'the API to read contracts from, and values too if there is no --node-url'),
  apiKey: text(
    '--api-key <KEY>',
    'the key of the API, sent as x-api-key and never stored; prefer the environment variable',
  ),
  rate: wholeNumber(
    '--rate <N>',
    'requests per minute to each server (default: 50 to a public server, 500 with a key, no limit in a private network)',
    { min: 1 },
  ),
  wait: seconds('--wait <SECONDS>', 'the time to wait for retries when no other work remains', { min: 0 }).withDefault(
    60,
  ),
  concurrency: wholeNumber('--concurrency <N>', 'number of concurrent requests of each kind', { min: 1 }).withDefault(
    16,
  ),
};

function parseHash(text: string): string {
  const hash = text.toLowerCase().replace(/^0x/, '');
  if (/^[0-9a-f]{64}$/.test(hash)) return hash;
  throw new InvalidArgumentError('Use the hash of a part in the manifest: 64 hex digits.');
}

export const SEED_OPTIONS = {
  seed: text('--seed <SEED>', 'a seed to read: the URL of a site or of a manifest, or a folder'),
  seedHash: text(
    '--seed-hash <HASH>',
    'read the seed only up to the part with this hash; refuse it without such a part',
    parseHash,
  ),
  allowReorg: onOff('--allow-reorg', 'accept an archive or a seed that orphans more than 100 blocks of the index'),
};

/** Options of commands that read a site or an API to compare it. */
export const READING_OPTIONS = {
  rate: SOURCE_OPTIONS.rate,
  wait: SOURCE_OPTIONS.wait,
  concurrency: SOURCE_OPTIONS.concurrency,
};

export const FETCH_OPTIONS = {
  ipfsGateway: list(
    '--ipfs-gateway <URL>',
    'a gateway for ipfs and ipns; repeat the option to add alternatives (default: https://ipfs.io, https://dweb.link)',
  ),
  arweaveGateway: list(
    '--arweave-gateway <URL>',
    'a gateway for ar; repeat the option to add alternatives (default: https://arweave.net)',
  ),
  allowHost: list('--allow-host <HOST[:PORT]>', 'a host outside the open web that token URIs may use; may be repeated'),
};
