// Values that a node gave at its tip, while an archive goes on from there: older values say so, or are replaced.
import { expect, test } from 'vitest';
import { servedContracts } from '#store/contracts/contracts.ts';
import type { Store } from '#store/index-database.ts';
import { writeReadings } from '#store/tokens/readings.ts';
import { readTokens } from '#store/tokens/tokens.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { MINT_COINS, tok } from './cases/case.ts';
import { SET_NAME, type TokenParts } from './contracts.ts';
import { formatJudged, type Judged, judge } from './judge-values.ts';
import { call, deploy, type Step } from './program.ts';
import { indexChain } from './served-site.ts';
import { SimnetChain } from './simnet-chain.ts';
import { readTruths } from './truths.ts';

const PAY = `(define-public (pay)
  (ok (var-set nm (if (> (stx-get-balance tx-sender) u1000) "rich" "poor"))))`;

const PAID: readonly Step[] = [{ fund: 'bob', amount: 5n }, call('tok pay', { by: 'bob' })];

interface Later {
  readonly steps: readonly Step[];
  /** True if its calls are not evaluated. */
  readonly isPending?: boolean;
  /** True if nothing is evaluated before the node answers. */
  readonly isFirst?: boolean;
  /** True if the archive has all before the node answers. */
  readonly isLagging?: boolean;
  /** True if the archive begins behind the genesis block. */
  readonly beginsLate?: boolean;
  readonly parts?: TokenParts;
  /** The name that the node returns. */
  readonly answer?: string;
}

/** A node returns name and supply as of the deploy, or of the fork behind it; other steps come later. */
async function judged({ steps, answer, parts, ...later }: Later): Promise<Judged[]> {
  const chain = await SimnetChain.open();
  const token = tok(parts ?? `${SET_NAME} ${MINT_COINS} ${PAY}`);
  const program = { name: 'node', steps: [{ mine: 'stacks', count: 3 } as const, token, ...steps] };
  let height = 0;
  for (const [at, step] of program.steps.entries()) {
    const isBefore = at < 2 || later.isLagging === true || 'fork' in step;
    const isMissing = at === 0 && later.beginsLate === true;
    chain.run('node', { ...step, run: isMissing ? 'never' : isBefore ? 0 : 1 });
    if (at === 1 || 'fork' in step) height = Math.max(...chain.blocks.map((block) => block.height));
  }
  const values = readTruths(chain, [program], new Set(chain.blocks.flatMap(({ contracts }) => contracts)));
  const runs = [{ vm: later.isFirst !== true }, { vm: later.isPending !== true }];
  const ask = async (store: Store, run: number) => (run === 0 ? askNode(store, height, answer) : undefined);
  return judge(values, (await indexChain(chain, tempFolder(), runs, ask)).files);
}

async function askNode(store: Store, height: number, name = 'start'): Promise<void> {
  const [contract] = (await Array.fromAsync(servedContracts(store))).flat();
  const [token] = (await readTokens(store, [contract?.deployId ?? 0])).values();
  const answer = { tokenId: token?.tokenId ?? 0, source: 'node', height } as const;
  const readings = [
    { ...answer, getter: 'get-name', value: name },
    { ...answer, getter: 'get-total-supply', value: '0' },
  ] as const;
  await store.transaction().execute((writer) => writeReadings(writer, readings));
}

test.each<Later & { readonly name: string; readonly is: string }>([
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
    name: 'a branch that is left',
    steps: [{ fork: [[], [call('tok set-name "orphaned"')], []] }, { mine: 'stacks', count: 6 }],
    answer: 'orphaned',
    is: 'tok get-name',
  },
])('behavior: behind the tip of a node: $name', async ({ is, ...later }) => {
  const texts = (await judged(later)).map(formatJudged);
  expect(texts.filter((text) => text.startsWith('wrong'))).toEqual([]);
  expect(texts).toContainEqual(expect.stringContaining(is));
});
