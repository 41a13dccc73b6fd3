import { expect, test } from 'vitest';
import { weighReports } from '#indexer/chain/choose-served.ts';
import type { Candidate, ReportedCandidate } from '#store/contracts/candidates.ts';
import { hashOf } from '../../support/observer-lines.ts';

const TOKEN = 'SP000000000000000000002Q6VF78.token';

/** What an archive says of a contract. */
const ofArchive = (more: Partial<Candidate> = {}): Candidate => ({
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
/** What an API said of it at height 1,000: the same, but it knows no place in the block. */
const ofApi = (more: Partial<ReportedCandidate> = {}): ReportedCandidate => ({
  ...ofArchive({ txIndex: 0 }),
  reportedAt: 1_000,
  ...more,
});

const ANOTHER = { txId: hashOf('other') };
const WITHOUT_TIP = { ...ANOTHER, reportedAt: undefined };
const OPEN = { confirmed: false };

test.each([
  ['of what both say, nothing is contradicted', {}, {}, 500, 'archive', false],
  ['a newer API is believed, which says another deploy', {}, ANOTHER, 999, 'api', true],
  ['a newer API is believed, which says that it is orphaned', {}, { canonical: false }, 999, 'api', true],
  ['a newer API is believed, which says another block', {}, { blockHeight: 101 }, 999, 'api', true],
  ['a newer archive is believed', {}, ANOTHER, 1_001, 'archive', true],
  ['an API is believed that did not tell its tip', {}, WITHOUT_TIP, 5_000, 'api', true],
  ['an API of the same height is believed', {}, ANOTHER, 1_000, 'api', true],
  ['an API is believed where the archive has no tip', {}, ANOTHER, undefined, 'api', true],
  ['what was not confirmed is no contradiction, and a newer API is kept', OPEN, {}, 999, 'api', false],
  ['what was not confirmed is no contradiction, and a newer archive is kept', OPEN, {}, 1_001, 'archive', false],
] as const)('behavior: %s', (_, ofTheArchive, ofTheApi, tipHeight, kept, contradicts) => {
  const said = { archive: ofArchive(ofTheArchive), api: ofApi(ofTheApi) };
  const contradiction = { archiveCandidate: said.archive, apiCandidate: said.api, kept: said[kept] };
  expect(weighReports([said.archive], [said.api], tipHeight)).toEqual({
    served: [said[kept]],
    contradictions: contradicts ? [contradiction] : [],
  });
});

test('behavior: what only one of them knows is served', () => {
  const [archive, api] = [ofArchive(), ofApi({ contractId: `${TOKEN}-2`, canonical: false })];
  expect(weighReports([archive], [api], 5_000)).toEqual({ served: [archive, api], contradictions: [] });
  expect(weighReports([], [api], undefined)).toEqual({ served: [api], contradictions: [] });
  expect(weighReports([archive], [], 5_000)).toEqual({ served: [archive], contradictions: [] });
});

test('behavior: each contract is weighed alone', () => {
  const id = (index: number) => ({ contractId: `${TOKEN}-${index}` });
  const archive = [1, 2, 3].map((index) => ofArchive(id(index)));
  const other = { txId: hashOf('other') };
  const api = [ofApi(id(1)), ofApi({ ...id(2), ...other }), ofApi({ ...id(3), ...other, reportedAt: 10 })];
  const { served, contradictions } = weighReports(archive, api, 500);
  expect(served).toEqual([archive[0], api[1], archive[2]]);
  expect(contradictions.map(({ kept }) => kept)).toEqual([api[1], archive[2]]);
});
