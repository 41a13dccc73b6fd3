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
  ...more,
});
/** What an API said of it at height 1,000: the same, but it knows no place in the block. */
const ofApi = (more: Partial<ReportedCandidate> = {}): ReportedCandidate => ({
  ...ofArchive({ txIndex: 0 }),
  reportedAt: 1_000,
  ...more,
});

test('default', () => {
  const archive = ofArchive();
  expect(weighReports([archive], [ofApi()], 500)).toEqual({ served: [archive], contradictions: [] });
});

test.each([
  ['another deploy', { txId: hashOf('other') }],
  ['that it is orphaned', { canonical: false }],
  ['another block', { blockHeight: 101 }],
])('behavior: a newer API is believed, which says %s', (_, more) => {
  const [archive, api] = [ofArchive(), ofApi(more)];
  expect(weighReports([archive], [api], 999)).toEqual({
    served: [api],
    contradictions: [{ ofArchive: archive, ofApi: api, kept: api }],
  });
});

test('behavior: a newer archive is believed', () => {
  const [archive, api] = [ofArchive(), ofApi({ txId: hashOf('other') })];
  expect(weighReports([archive], [api], 1_001)).toEqual({
    served: [archive],
    contradictions: [{ ofArchive: archive, ofApi: api, kept: archive }],
  });
});

test.each([
  ['an API that did not tell its tip', undefined, 5_000],
  ['an API of the same height', 1_000, 1_000],
  ['an API where the archive has no tip', 1_000, undefined],
])('behavior: %s is believed', (_, reportedAt, tipHeight) => {
  const [archive, api] = [ofArchive(), ofApi({ txId: hashOf('other'), reportedAt })];
  expect(weighReports([archive], [api], tipHeight)).toMatchObject({ served: [api], contradictions: [{ kept: api }] });
});

test.each([
  ['an API', 999, 'the API'],
  ['an archive', 1_001, 'the archive'],
])('behavior: what was not confirmed is no contradiction; the newer one, %s, is kept', (_, tipHeight, kept) => {
  const archive = ofArchive({ confirmed: false });
  const api = ofApi();
  expect(weighReports([archive], [api], tipHeight)).toEqual({
    served: [kept === 'the API' ? api : archive],
    contradictions: [],
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
