import { expect, test } from 'vitest';
import { weighReports } from '#indexer/chain/choose-served.ts';
import type { Candidate, ReportedCandidate } from '#store/contracts/candidates.ts';
import { hashOf } from '../../support/transactions.ts';

const TOKEN = 'SP000000000000000000002Q6VF78.token';

/** Returns a candidate from an archive, in which `more` replaces some fields. */
const fromArchive = (more: Partial<Candidate> = {}): Candidate => ({
  contractId: TOKEN,
  deployId: 1,
  txId: hashOf('deploy'),
  txIndex: 3,
  blockHeight: 100,
  canonical: true,
  confirmed: true,
  clarityVersion: 2,
  epoch: undefined,
  burnHeight: 800_000,
  ...more,
});
/**
 * Returns a candidate that an API reports at height 1,000. It equals the archive's candidate, but its index in the
 * block is unknown.
 */
const fromApi = (more: Partial<ReportedCandidate> = {}): ReportedCandidate => ({
  ...fromArchive({ txIndex: 0 }),
  reportedAt: 1_000,
  ...more,
});

const ANOTHER = { txId: hashOf('other') };
const WITHOUT_TIP = { ...ANOTHER, reportedAt: undefined };
const OPEN = { confirmed: false };

test.each([
  ['reports no contradiction for equal candidates', {}, {}, 500, 'archive', false],
  ['serves a newer API with another deploy', {}, ANOTHER, 999, 'api', true],
  ['serves a newer API with an orphaned deploy', {}, { canonical: false }, 999, 'api', true],
  ['serves a newer API with another block', {}, { blockHeight: 101 }, 999, 'api', true],
  ['serves a newer archive', {}, ANOTHER, 1_001, 'archive', true],
  ['serves an API without a tip', {}, WITHOUT_TIP, 5_000, 'api', true],
  ['serves an API at the same height', {}, ANOTHER, 1_000, 'api', true],
  ['serves an API if the archive lacks a tip', {}, ANOTHER, undefined, 'api', true],
  ['reports no contradiction for an unconfirmed deploy and a newer API', OPEN, {}, 999, 'api', false],
  ['reports no contradiction for an unconfirmed deploy and a newer archive', OPEN, {}, 1_001, 'archive', false],
] as const)('%s', (_, archiveFields, apiFields, tipHeight, kept, contradicts) => {
  const candidates = { archive: fromArchive(archiveFields), api: fromApi(apiFields) };
  const contradiction = { archiveCandidate: candidates.archive, apiCandidate: candidates.api, kept: candidates[kept] };
  expect(weighReports([candidates.archive], [candidates.api], tipHeight)).toEqual({
    served: [candidates[kept]],
    contradictions: contradicts ? [contradiction] : [],
  });
});

test('serves contracts that only one source knows', () => {
  const [archive, api] = [fromArchive(), fromApi({ contractId: `${TOKEN}-2`, canonical: false })];
  expect(weighReports([archive], [api], 5_000)).toEqual({ served: [archive, api], contradictions: [] });
  expect(weighReports([], [api], undefined)).toEqual({ served: [api], contradictions: [] });
  expect(weighReports([archive], [], 5_000)).toEqual({ served: [archive], contradictions: [] });
});

test('compares each contract separately', () => {
  const id = (index: number) => ({ contractId: `${TOKEN}-${index}` });
  const archive = [1, 2, 3].map((index) => fromArchive(id(index)));
  const other = { txId: hashOf('other') };
  const api = [fromApi(id(1)), fromApi({ ...id(2), ...other }), fromApi({ ...id(3), ...other, reportedAt: 10 })];
  const { served, contradictions } = weighReports(archive, api, 500);
  expect(served).toEqual([archive[0], api[1], archive[2]]);
  expect(contradictions.map(({ kept }) => kept)).toEqual([api[1], archive[2]]);
});
