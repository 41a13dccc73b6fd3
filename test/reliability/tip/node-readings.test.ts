// Values that a node gave at its tip, while an archive goes on from there: older values say so, or are replaced.
import { beforeAll, expect, test } from 'vitest';
import type { Store } from '#store/index-database.ts';
import { tempFolderForFile } from '../../support/temp-folder.ts';
import { col, MINT_ANY, MINT_COINS, tok } from './cases/case.ts';
import { SET_NAME, type TokenParts } from './contracts.ts';
import { formatJudged, type Judged, judge as judgeValues } from './judge-values.ts';
import { storeResults } from './node-results.ts';
import { call, deploy, type Step } from './program.ts';
import { indexChain } from './served-site.ts';
import { SimnetChain } from './simnet-chain.ts';
import { readTruths } from './truths.ts';
import { runWorld } from './world.ts';

const PAY = `(define-public (pay)
  (ok (var-set nm (if (> (stx-get-balance tx-sender) u1000) "rich" "poor"))))`;

const PAID: readonly Step[] = [{ fund: 'bob', amount: 5n }, call('tok pay', { by: 'bob' })];

/** How the archive comes; cases that are alike share a chain. */
interface Arrival {
  /** True if the later calls are not evaluated. */
  readonly isPending?: boolean;
  /** True if nothing is evaluated before the node answers. */
  readonly isFirst?: boolean;
  /** True if the archive has all before the node answers. */
  readonly isLagging?: boolean;
  /** True if the archive begins behind the genesis block. */
  readonly beginsLate?: boolean;
}

interface Later extends Arrival {
  readonly name: string;
  /** Behind what the node has; forks are what it has. */
  readonly steps: readonly Step[];
  readonly parts?: TokenParts;
  /** Of a collection, which all its tokens share; without, there is a fungible token. */
  readonly uri?: string;
  /** The name, or the URI, that the node returns. */
  readonly answer?: string;
  /** A value, and its verdict if there is one alone. */
  readonly is: string;
}

const CASES: readonly Later[] = [
  { name: 'a call', steps: [call('tok set-name "new"')], is: 'right: tok get-name' },
  {
    name: 'a deploy',
    steps: [deploy('setup', '(contract-call? .tok set-name "by a deploy") (define-constant DONE true)')],
    is: 'right: tok get-name',
  },
  {
    name: 'a call that cannot be proven',
    steps: PAID,
    is: 'older: tok get-name',
  },
  {
    name: 'a call that is not evaluated',
    steps: [call('tok set-name "new"')],
    isPending: true,
    is: 'older: tok get-name',
  },
  { name: 'a mint', steps: [call('tok mint')], is: 'right: tok get-total-supply' },
  { name: 'a call before the first evaluation', steps: PAID, isFirst: true, is: 'older: tok get-name' },
  {
    name: 'a mint before the first evaluation',
    steps: [call('tok mint')],
    isFirst: true,
    is: 'right: tok get-total-supply',
  },
  { name: 'a call that a node lags behind', steps: PAID, isLagging: true, is: 'older: tok get-name' },
  {
    name: 'a mint in an archive that begins late',
    steps: [call('tok mint')],
    beginsLate: true,
    is: 'tok get-total-supply',
  },
  {
    name: 'a mint that a variable counts',
    parts: {
      supply: '(var-get total)',
      more: '(define-data-var total uint u0) (define-public (mint) (ok (var-set total u10)))',
    },
    steps: [call('tok mint')],
    is: 'older: tok get-total-supply',
  },
  {
    name: 'a height that decides',
    parts: { name: '(if (> stacks-block-height u30) "late" "start")' },
    steps: [{ mine: 'stacks', count: 30 }],
    is: 'older: tok get-name',
  },
  {
    name: 'a height that decides what tokens share',
    uri: '(some (if (> stacks-block-height u30) "https://late.example/" "https://start.example/"))',
    steps: [call('col mint u1'), { mine: 'stacks', count: 30 }],
    answer: 'https://start.example/',
    is: 'older: col get-token-uri 1',
  },
  {
    name: 'a branch that is left',
    steps: [{ fork: [[], [call('tok set-name "orphaned"')], []] }, { mine: 'stacks', count: 6 }],
    answer: 'orphaned',
    is: 'tok get-name',
  },
];

const folder = tempFolderForFile();
const judged = new Map<string, readonly Judged[]>();
const isFork = (step: Step) => 'fork' in step;

beforeAll(async () => {
  const arrivalOf = ({ isPending, isFirst, isLagging, beginsLate, steps }: Later) =>
    JSON.stringify([isPending, isFirst, isLagging, beginsLate, steps.some(isFork)]);
  for (const [, alike] of Map.groupBy(CASES, arrivalOf)) {
    const values = await judge(alike, alike[0] as Later);
    for (const { name } of alike)
      judged.set(
        name,
        values.filter(({ program }) => program === name),
      );
  }
});

/** A node returns names, URIs and supplies as of the deploys, or of the fork behind them. */
async function judge(cases: readonly Later[], { isPending, isFirst, isLagging, beginsLate }: Arrival) {
  const chain = await SimnetChain.open();
  const programs = cases.map(({ name, parts, uri, steps }) => {
    const token = uri === undefined ? tok(parts ?? `${SET_NAME} ${MINT_COINS} ${PAY}`) : col(uri, MINT_ANY);
    return { name, token, steps };
  });
  chain.mine({ mine: 'stacks', count: 3 }, beginsLate === true ? 'never' : 0);
  for (const { name, token } of programs) chain.run(name, { ...token, run: 0 });
  for (const { name, steps } of programs) for (const step of steps.filter(isFork)) chain.run(name, { ...step, run: 0 });
  const height = Math.max(...chain.blocks.map((block) => block.height));
  for (const { name, steps } of programs)
    for (const step of steps) if (!isFork(step)) chain.run(name, { ...step, run: isLagging === true ? 0 : 1 });
  const asked = programs.map(({ name, token, steps }) => ({ name, steps: [token, ...steps] }));
  const values = readTruths(chain, asked, new Set(chain.blocks.flatMap(({ contracts }) => contracts)));
  const answers = cases.flatMap(({ name, uri, answer = 'start' }) => {
    const contractId = chain.contractId(name, uri === undefined ? 'tok' : 'col');
    const returned = (getter: string, text: string) => ({ contractId, getter, truth: { kind: 'text', text } as const });
    if (uri !== undefined) return [returned('get-token-uri', answer)];
    return [returned('get-name', answer), returned('get-total-supply', '0')];
  });
  const runs = [{ vm: isFirst !== true }, { vm: isPending !== true }];
  const ask = async (store: Store, run: number) =>
    run === 0 ? storeResults(store, { height, values: answers }) : undefined;
  return judgeValues(values, (await indexChain(chain, folder, runs, ask)).files);
}

test.each(CASES)('behavior: behind the tip of a node: $name', ({ name, is }) => {
  const texts = (judged.get(name) ?? []).map(formatJudged);
  expect(texts.filter((text) => text.startsWith('wrong'))).toEqual([]);
  expect(texts).toContainEqual(expect.stringContaining(is));
});

test('behavior: mints of a branch that wins in the batch in which it comes replace the supply of a node', async () => {
  const steps = [tok(MINT_COINS), { fork: [[call('tok mint')]], run: 1 }, { ...call('tok mint'), run: 1 }];
  const { judged } = await runWorld([{ name: 'branch', steps }], { hasNode: true, runs: [{}, {}], last: 1 });
  expect(judged.find(({ getter }) => getter === 'get-total-supply')).toMatchObject({ verdict: 'right', served: '10' });
});
