// Reads values from a node, and continues the chain beyond the node's tip in an archive. The index must replace each
// value or mark it as unproven.
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

/** The order in which the archive and the node are read. Cases with the same order share a chain. */
interface Arrival {
  /** True if the tokens are not evaluated after the later calls are indexed. */
  readonly isPending?: boolean;
  /** True if no token is evaluated before the node is read. */
  readonly isFirst?: boolean;
  /** True if the complete archive is indexed before the node is read. */
  readonly isLagging?: boolean;
  /** True if the first blocks of the chain are missing in the archive. */
  readonly beginsLate?: boolean;
}

interface NodeCase extends Arrival {
  readonly name: string;
  /** The steps after the node's tip, except forks: they come before it. */
  readonly steps: readonly Step[];
  readonly parts?: TokenParts;
  /** The URI of all tokens of a collection; undefined for a case about a fungible token. */
  readonly uri?: string;
  /** The name or URI that the node returns, by default "start". */
  readonly nodeValue?: string;
  /**
   * The checked value with the expected verdict, such as `right: tok get-name`. Without a verdict, several are allowed.
   */
  readonly is: string;
}

const NUMBERS = Array.from({ length: 2_001 }, (_, index) => index);
const MANY_VARIABLES = NUMBERS.map((number) => `(define-data-var v${number} uint u0)`).join(' ');
const MANY_READS = `(+ ${NUMBERS.map((number) => `(var-get v${number})`).join(' ')})`;

const CASES: readonly NodeCase[] = [
  { name: 'a call', steps: [call('tok set-name "new"')], is: 'right: tok get-name' },
  {
    name: 'a deploy',
    steps: [deploy('setup', '(contract-call? .tok set-name "by a deploy") (define-constant DONE true)')],
    is: 'right: tok get-name',
  },
  {
    name: 'a call that cannot be proven',
    steps: PAID,
    is: 'outdated: tok get-name',
  },
  {
    name: 'a call that is not evaluated',
    steps: [call('tok set-name "new"')],
    isPending: true,
    is: 'outdated: tok get-name',
  },
  {
    name: 'a call through a new contract that is not evaluated',
    steps: [deploy('agent', '(define-public (go) (contract-call? .tok set-name "new"))'), call('agent go')],
    isPending: true,
    is: 'outdated: tok get-name',
  },
  {
    name: 'a call through more code than is followed that is not evaluated',
    steps: [
      deploy(
        'agent',
        `${MANY_VARIABLES} (define-public (go) (begin ${MANY_READS} (contract-call? .tok set-name "new")))`,
      ),
      call('agent go'),
    ],
    isPending: true,
    is: 'outdated: tok get-name',
  },
  { name: 'a mint', steps: [call('tok mint')], is: 'right: tok get-total-supply' },
  { name: 'a call before the first evaluation', steps: PAID, isFirst: true, is: 'outdated: tok get-name' },
  {
    name: 'a mint before the first evaluation',
    steps: [call('tok mint')],
    isFirst: true,
    is: 'right: tok get-total-supply',
  },
  { name: 'a call that a lagging node lacks', steps: PAID, isLagging: true, is: 'outdated: tok get-name' },
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
    is: 'outdated: tok get-total-supply',
  },
  {
    name: 'a call that a lagging node lacks, with more code in the getter than is followed',
    parts: {
      name: `(if (is-eq ${MANY_READS} u9) "odd" (var-get nm))`,
      more: `${MANY_VARIABLES} ${SET_NAME}`,
    },
    steps: [call('tok set-name "new"')],
    isLagging: true,
    is: 'outdated: tok get-name',
  },
  {
    name: 'a height that decides',
    parts: { name: '(if (> stacks-block-height u30) "late" "start")' },
    steps: [{ mine: 'stacks', count: 30 }],
    is: 'outdated: tok get-name',
  },
  {
    name: 'a height that decides what tokens share',
    uri: '(some (if (> stacks-block-height u30) "https://late.example/" "https://start.example/"))',
    steps: [call('col mint u1'), { mine: 'stacks', count: 30 }],
    nodeValue: 'https://start.example/',
    is: 'outdated: col get-token-uri 1',
  },
  {
    name: 'an abandoned branch',
    steps: [{ fork: [[], [call('tok set-name "orphaned"')], []] }, { mine: 'stacks', count: 6 }],
    nodeValue: 'orphaned',
    is: 'tok get-name',
  },
];

const folder = tempFolderForFile();
const judged = new Map<string, readonly Judged[]>();
const isFork = (step: Step) => 'fork' in step;

beforeAll(async () => {
  const arrivalKey = ({ isPending, isFirst, isLagging, beginsLate, steps }: NodeCase) =>
    JSON.stringify([isPending, isFirst, isLagging, beginsLate, steps.some(isFork)]);
  for (const [, sameArrival] of Map.groupBy(CASES, arrivalKey)) {
    const values = await judge(sameArrival, sameArrival[0] as NodeCase);
    for (const { name } of sameArrival)
      judged.set(
        name,
        values.filter(({ program }) => program === name),
      );
  }
});

/** Runs cases on one chain and judges their values. The node's tip is after the deploys and the forks. */
async function judge(cases: readonly NodeCase[], { isPending, isFirst, isLagging, beginsLate }: Arrival) {
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
  const judgedPrograms = programs.map(({ name, token, steps }) => ({ name, steps: [token, ...steps] }));
  const values = readTruths(chain, judgedPrograms, new Set(chain.blocks.flatMap(({ contracts }) => contracts)));
  const nodeValues = cases.flatMap(({ name, uri, nodeValue = 'start' }) => {
    const contractId = chain.contractId(name, uri === undefined ? 'tok' : 'col');
    const returned = (getter: string, text: string) => ({ contractId, getter, truth: { kind: 'text', text } as const });
    if (uri !== undefined) return [returned('get-token-uri', nodeValue)];
    return [returned('get-name', nodeValue), returned('get-total-supply', '0')];
  });
  const runs = [{ vm: isFirst !== true }, { vm: isPending !== true }];
  const readNode = async (store: Store, run: number) =>
    run === 0 ? storeResults(store, { height, values: nodeValues }) : undefined;
  return judgeValues(values, (await indexChain(chain, folder, runs, readNode)).files);
}

test.each(CASES)('replaces or marks the value of a node after $name', ({ name, is }) => {
  const texts = (judged.get(name) ?? []).map(formatJudged);
  expect(texts.filter((text) => text.startsWith('wrong'))).toEqual([]);
  expect(texts).toContainEqual(expect.stringContaining(is));
});

test('replaces the supply of a node after mints on a branch that wins in the same batch', async () => {
  const steps = [tok(MINT_COINS), { fork: [[call('tok mint')]], run: 1 }, { ...call('tok mint'), run: 1 }];
  const { judged } = await runWorld([{ name: 'branch', steps }], { hasNode: true, runs: [{}, {}], last: 1 });
  expect(judged.find(({ getter }) => getter === 'get-total-supply')).toMatchObject({ verdict: 'right', served: '10' });
});
