// This script appends collections to a chain of make-chain.ts: node scripts/bench/make-collections.ts FILE --height H
//   [--collections N] [--tokens N] [--without-mints]
// Two of three collections have one URI for all tokens, the others one for each; a block of 2,000 mints follows another.
// `--height`: of the first block. `--without-mints` deploys the collections alone. The same options give the same bytes.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { c32address } from 'c32check';
import { COLLECTION_INTERFACE } from '../../test/support/interfaces.ts';
import { blockOfDeploys, unsignedDeploy } from '../unsigned-deploy.ts';
import { addressBytes, shortText, u32, unsignedTransaction } from '../unsigned-transaction.ts';

const MINTS_PER_BLOCK = 2_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    height: { type: 'string' },
    collections: { type: 'string', default: '200' },
    tokens: { type: 'string', default: '1000000' },
    'without-mints': { type: 'boolean', default: false },
  },
});
const [file] = positionals;
const [first, collections, tokens] = [values.height, values.collections, values.tokens].map(Number) as [
  number,
  number,
  number,
];
if (file === undefined || !(first > 0) || !(collections > 0)) {
  console.error(
    'usage: node scripts/bench/make-collections.ts FILE --height H [--collections N] [--tokens N] [--without-mints]',
  );
  process.exit(1);
}

const address = c32address(22, createHash('sha256').update('collector').digest('hex').slice(0, 40));
const idOf = (index: number) => `${address}.collection-${index}`;

function sourceOf(index: number): string {
  const isShared = index % 3 !== 0;
  const uri = isShared
    ? `(some "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/${index}/{id}.json")`
    : `(some (concat "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/${index}/" (int-to-ascii id)))`;
  return `(define-non-fungible-token thing uint)
(define-data-var last-id uint u0)
(define-read-only (get-last-token-id) (ok (var-get last-id)))
(define-read-only (get-token-uri (id uint)) (ok ${uri}))
(define-read-only (get-owner (id uint)) (ok (nft-get-owner? thing id)))
(define-public (transfer (id uint) (from principal) (to principal))
  (begin (asserts! (is-eq tx-sender from) (err u1)) (nft-transfer? thing id from to)))
(define-public (mint) (begin (var-set last-id (+ u1 (var-get last-id))) (nft-mint? thing (var-get last-id) tx-sender)))
`;
}

const output = createWriteStream(file, { flags: 'a' });
const write = async (line: string) => {
  if (!output.write(line)) await once(output, 'drain');
};
const deploys = Array.from({ length: collections }, (_, index) =>
  unsignedDeploy(idOf(index), sourceOf(index), index, COLLECTION_INTERFACE),
);
await write(blockOfDeploys(first, deploys));
const mints = values['without-mints'] ? 0 : tokens;
for (let minted = 0, height = first + 1; minted < mints; height++) {
  const count = Math.min(MINTS_PER_BLOCK, mints - minted);
  await write(blockOfMints(height, minted, count));
  minted += count;
}
output.end();
await once(output, 'finish');

/** Collections take turns. */
function blockOfMints(height: number, minted: number, count: number): string {
  const payload = Buffer.concat([
    Buffer.from([2]),
    addressBytes(address),
    shortText('minter'),
    shortText(`mint-${height}`),
    u32(0),
  ]);
  const transaction = unsignedTransaction(address, payload);
  const events = Array.from({ length: count }, (_, index) => {
    const number = Math.floor((minted + index) / collections) + 1;
    return {
      txid: transaction.txid,
      type: 'nft_mint_event',
      committed: true,
      event_index: index,
      nft_mint_event: {
        asset_identifier: `${idOf((minted + index) % collections)}::thing`,
        raw_value: `0x01${number.toString(16).padStart(32, '0')}`,
        recipient: address,
      },
    };
  });
  const called = { ...transaction, status: 'success', tx_index: 0, raw_result: '0x0703', contract_interface: null };
  return blockOfDeploys(height, [called], undefined, events);
}
