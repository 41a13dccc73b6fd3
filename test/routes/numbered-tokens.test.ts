// Tests incremental builds of collections that grow, and of collections whose deploy a fork replaced.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Reporter } from '#model/reporter.ts';
import { indexLines, writeArchive } from '../support/archives.ts';
import { buildIndex } from '../support/build-options.ts';
import { indexInto } from '../support/index-options.ts';
import { COLLECTION_INTERFACE } from '../support/interfaces.ts';
import { readTree } from '../support/sample.ts';
import { silentReporter } from '../support/silent-reporter.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ADDRESS, blockLine, callJson, deployJson, nftEvent } from '../support/transactions.ts';

const ID = `${ADDRESS}.thing`;

/** Returns a block that deploys a collection and mints tokens of it. */
function blockOf(id: string, parent: string, height: number, source: string, tokens: number): string {
  const deploy = deployJson('thing', source, { clarityVersion: 2, interface: COLLECTION_INTERFACE });
  const mint = callJson({ nonce: 1 });
  const events = Array.from({ length: tokens }, (_, number) => nftEvent('mint', mint.txid, ID, BigInt(number)));
  return blockLine({ id, parent, height, transactions: [deploy, mint], events });
}

const tokensIn = (out: string) => [...readTree(out).keys()].filter((path) => /\.thing\/\d+$/.test(path)).length;

test('removes the tokens of a deploy that a fork replaced with another deploy', async () => {
  const folder = tempFolder();
  const [db, out] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
  await indexLines(db, blockOf('a1', 'none', 1, '(define-constant c u1)', 10));
  await buildIndex(db, out);
  expect(tokensIn(out)).toBe(10);
  const other = blockOf('b1', 'none', 1, '(define-constant c u2)', 3);
  const longer = ['b2', 'b3'].map((id, at) => blockLine({ id, parent: `b${at + 1}`, height: at + 2 }));
  await indexLines(db, [other, ...longer].join(''));
  await buildIndex(db, out);
  expect(tokensIn(out)).toBe(3);
});

/**
 * A collection whose token URI contains the token id. All of its tokens are complete once the VM has evaluated the
 * collection.
 */
const COLLECTION = `(define-non-fungible-token thing uint)
  (define-read-only (get-last-token-id) (ok u0))
  (define-read-only (get-token-uri (id uint)) (ok (some "https://example.org/{id}.json")))
  (define-read-only (get-owner (id uint)) (ok (nft-get-owner? thing id)))
  (define-public (transfer (id uint) (sender principal) (recipient principal)) (nft-transfer? thing id sender recipient))`;

test('renders only new tokens and pages of the list after mints', async () => {
  const folder = tempFolder();
  const [db, out] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
  let rendered = 0;
  const progress: Reporter['progress'] = ({ done }) => {
    rendered = done;
  };
  const renderedAfter = async (line: string) => {
    await indexInto(db, { archives: [writeArchive(line)], vm: true });
    await buildIndex(db, out, { reporter: { ...silentReporter, progress } });
    return rendered;
  };
  const mintsOf = (height: number, from: number, count: number) => {
    const mint = callJson({ nonce: height });
    const events = Array.from({ length: count }, (_, at) => nftEvent('mint', mint.txid, ID, BigInt(from + at)));
    return blockLine({ id: height, parent: height - 1, height, transactions: [mint], events });
  };
  const count = 2_000;
  await renderedAfter(blockOf('1', '0', 1, COLLECTION, count));
  expect(JSON.parse(readTree(out).get(`metadata/v1/status/${ID}`) ?? '')).toMatchObject({ state: 'complete' });
  // Each page shows the total number of tokens, so all pages are rendered. A few more entries belong to the collection
  // and the site.
  const maxRendered = (minted: number, all: number) => minted + all / 60 + 20;
  expect(await renderedAfter(mintsOf(2, count, 1))).toBeLessThan(maxRendered(1, count));
  expect(await renderedAfter(mintsOf(3, 2 * count, count))).toBeLessThan(maxRendered(count, 2 * count));
});
