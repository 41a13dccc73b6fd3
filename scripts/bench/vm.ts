// Measures the Clarity VM in index runs, compared with the bare VM with the same tokens and calls in one process.
import { writeFileSync } from 'node:fs';
import { formatCount } from '#text/format-count.ts';
import { TOKEN_INTERFACE } from '../../test/support/interfaces.ts';
import { tokenSource } from '../../test/support/token-source.ts';
import { blockOfDeploys, unsignedDeploy } from '../unsigned-deploy.ts';
import { callPayload, unsignedTransaction } from '../unsigned-transaction.ts';
import { type Bench, baseline, indexChain } from './bench.ts';
import { type Comparison, compare, type Report } from './figures.ts';
import { stxpress } from './measure.ts';
import { text } from './observed-value.ts';

const DEPLOYER = 'SP000000000000000000002Q6VF78';
const SETTER = '(define-public (set-uri (new (string-ascii 64))) (ok (var-set uri (some new))))';
const CALLS_PER_BLOCK = 1_000;
const MAX_PEAK_MB = 700;

/** Measures the evaluation of small tokens that no call has changed. */
export async function vm(bench: Bench): Promise<Report> {
  const tokens = bench.isJudged ? 1_000 : 50;
  const list = makeTokens(bench, tokens, 0, (index) => tokenSource({ 'get-name': `(ok "Token ${index}")` }));
  return measureVm(bench, `${formatCount(tokens)} tokens of five getters`, {
    what: `VM evaluation of ${tokens} small tokens`,
    run: (round) => stxpress('index', '--db', dbOf(bench, round), '--archive', bench.path('chain.tsv'), '--no-fetch'),
    runBaseline: () => baseline('vm', list),
  });
}

/** Measures the evaluation of tokens that calls have changed many times. */
export async function calls(bench: Bench): Promise<Report> {
  const [tokens, count] = bench.isJudged ? [20, 100_000] : [2, 1_000];
  const list = makeTokens(
    bench,
    tokens,
    count,
    (index) =>
      `(define-data-var uri (optional (string-ascii 64)) none)\n${SETTER}\n` +
      tokenSource({ 'get-name': `(ok "Token ${index}")`, 'get-token-uri': '(ok (var-get uri))' }),
  );
  return measureVm(bench, `${formatCount(tokens)} tokens that calls change`, {
    what: `replay of ${formatCount(count)} calls in the VM`,
    run: async (round) => {
      await indexChain(dbOf(bench, round), bench.path('chain.tsv'));
      return stxpress('index', '--db', dbOf(bench, round), '--no-fetch');
    },
    runBaseline: () => baseline('vm', list, count),
  });
}

async function measureVm(
  { rounds }: Bench,
  input: string,
  measured: Pick<Comparison, 'what' | 'run' | 'runBaseline'>,
): Promise<Report> {
  const target = { times: 1.3 };
  const figure = await compare(Math.min(rounds, 3), { ...measured, baseline: 'the bare VM', target });
  return { input, figures: [{ ...figure, maxPeakMb: MAX_PEAK_MB }] };
}

const dbOf = (bench: Bench, round: number): string => bench.path(`${round}/index.sqlite`);

/**
 * Writes `chain.tsv`, a chain with tokens and with calls that change each token in turn. Returns the path of a file
 * that lists the tokens.
 */
function makeTokens(bench: Bench, tokens: number, count: number, sourceOf: (index: number) => string): string {
  const contracts = Array.from({ length: tokens }, (_, index) => {
    return { contractId: `${DEPLOYER}.token-${index}`, source: sourceOf(index) };
  });
  const deploys = contracts.map(({ contractId, source }, index) =>
    unsignedDeploy(contractId, source, index, TOKEN_INTERFACE),
  );
  const lines = [blockOfDeploys(0, deploys)];
  for (let start = 0; start < count; start += CALLS_PER_BLOCK) {
    const block = Array.from({ length: CALLS_PER_BLOCK }, (_, index) => callOf(start + index, tokens, index));
    lines.push(blockOfDeploys(lines.length, block));
  }
  writeFileSync(bench.path('chain.tsv'), lines.join(''));
  writeFileSync(bench.path('tokens.json'), JSON.stringify(contracts));
  return bench.path('tokens.json');
}

/** Returns a call as an observer stores it, with the result `(ok true)`. */
function callOf(number: number, tokens: number, index: number) {
  const payload = callPayload(`${DEPLOYER}.token-${number % tokens}`, 'set-uri', text(`uri:${number}`).bytes);
  return { ...unsignedTransaction(DEPLOYER, payload), tx_index: index };
}
