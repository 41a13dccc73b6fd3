// Writes the archives of the crash tests: a chain in several files, with forks, tokens, supplies and microblocks, and a
// continuation of the chain.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { tokenSource } from '../../support/token-source.ts';
import {
  addressOn,
  blockLine,
  deployJson,
  type Json,
  line,
  microblocksJson,
  mintEvent,
} from '../../support/transactions.ts';

/** The chain id of the bundled sample, since tests index the sample before this chain. */
const CHAIN_ID = 0x53545850;
const BLOCKS = 36;
const FILES = 4;
const TOKEN_EVERY = 6;
const FORK_EVERY = 9;
const MICROBLOCKS_EVERY = 13;

interface Chain {
  /** The paths of the archives in the order of their blocks. */
  readonly archives: readonly string[];
  /** The path of an archive that continues the chain: a fork with new contracts replaces the last blocks. */
  readonly later: string;
  /** The path of an archive with tokens whose images are in their token URIs. */
  readonly pictured: string;
}

let nonce = 0;

function contract(name: string): Json {
  return deployJson(name, `(define-constant n u${nonce})`, { chainId: CHAIN_ID, clarityVersion: 2, nonce: nonce++ });
}

/** Returns the transaction that deploys a token, and the event that mints its supply. */
function token(name: string, uri?: string): { transactions: Json[]; events: Json[] } {
  const source = tokenSource({
    'get-name': `(ok "${name}")`,
    'get-total-supply': '(ok (ft-get-supply coin))',
    ...(uri === undefined ? {} : { 'get-token-uri': `(ok (some u"${uri}"))` }),
  });
  const deploy = deployJson(name, source, {
    chainId: CHAIN_ID,
    clarityVersion: 2,
    nonce: nonce++,
    interface: TOKEN_INTERFACE,
  });
  const asset = `${addressOn(CHAIN_ID)}.${name}::coin`;
  return { transactions: [deploy], events: [mintEvent(deploy.txid, asset, String(1_000 + nonce))] };
}

function pictureOf(colour: string): string {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg'><circle r='99' fill='${colour}'/></svg>`;
  return `data:application/json,${encodeURIComponent(JSON.stringify({ image: `data:image/svg+xml,${svg}` }))}`;
}

function blockAt(branch: string, parent: string, height: number): string {
  const isToken = height % TOKEN_EVERY === 0;
  const { transactions, events } = isToken
    ? token(`coin-${branch}-${height}`)
    : { transactions: [contract(`contract-${branch}-${height}`)], events: [] };
  return blockLine({ id: `${branch}${height}`, parent, height, transactions, events });
}

/** Returns the archive lines of a branch whose first block has the parent `parent`. */
function branchOf(branch: string, parent: string, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) =>
    blockAt(branch, index === 0 ? parent : `${branch}${from + index - 1}`, from + index),
  );
}

export function makeChain(folder: string): Chain {
  nonce = 0;
  const lines = branchOf('a', 'a0', 1, BLOCKS);
  for (let height = BLOCKS - 1; height > 0; height--) {
    if (height % MICROBLOCKS_EVERY === 0)
      lines.splice(height, 0, line('/new_microblocks', microblocksJson(`a${height}`, [contract(`micro-${height}`)])));
    // Adds a fork of two blocks that is canonical until the next block of the chain.
    if (height % FORK_EVERY === 0)
      lines.splice(height + 1, 0, ...branchOf(`f${height}x`, `a${height}`, height + 1, height + 2));
  }
  const perFile = Math.ceil(lines.length / FILES);
  const archives = Array.from({ length: FILES }, (_, file) => {
    const path = join(folder, `chain-${file}.tsv`);
    writeFileSync(path, lines.slice(file * perFile, (file + 1) * perFile).join(''));
    return path;
  });
  const later = join(folder, 'later.tsv');
  writeFileSync(later, branchOf('l', `a${BLOCKS - 4}`, BLOCKS - 3, BLOCKS + 4).join(''));
  const pictured = join(folder, 'pictured.tsv');
  const transactions = ['red', 'green', 'blue'].map(
    (colour) => token(`coin-${colour}`, pictureOf(colour)).transactions,
  );
  writeFileSync(pictured, blockLine({ id: 'p1', parent: 'p0', height: 1, transactions: transactions.flat() }));
  return { archives, later, pictured };
}
