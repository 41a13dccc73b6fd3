// Values that a node gave at its tip, while an archive goes on from there: older values say so, or are replaced.
import { expect, test } from 'vitest';
import { servedContracts } from '#store/contracts/contracts.ts';
import type { Store } from '#store/index-database.ts';
import { writeReadings } from '#store/tokens/readings.ts';
import { readTokens } from '#store/tokens/tokens.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { MINT_COINS, tok } from './cases/case.ts';
import { SET_NAME } from './contracts.ts';
import { formatJudged, type Judged, judge } from './judge-values.ts';
import { call, deploy, type Step } from './program.ts';
import { indexChain } from './served-site.ts';
import { SimnetChain } from './simnet-chain.ts';
import { readTruths } from './truths.ts';

const PAY = `(define-public (pay)
  (ok (var-set nm (if (> (stx-get-balance tx-sender) u1000) "rich" "poor"))))`;

interface Later {
  readonly steps: readonly Step[];
  /** True if its calls are not evaluated. */
  readonly isPending?: boolean;
}

/** A node returns name and supply right after the deploy; the steps come behind. */
async function judged({ steps, isPending = false }: Later): Promise<Judged[]> {
  const chain = await SimnetChain.open();
  const program = { name: 'node', steps: [tok(`${SET_NAME} ${MINT_COINS} ${PAY}`), ...steps] };
  for (const [at, step] of program.steps.entries()) chain.run('node', { ...step, run: at === 0 ? 0 : 1 });
  const values = readTruths(chain, [program], new Set(chain.blocks.flatMap(({ contracts }) => contracts)));
  const height = Math.max(...chain.blocks.filter(({ run }) => run === 0).map((block) => block.height));
  const runs = [{}, { vm: !isPending }];
  const ask = async (store: Store, run: number) => (run === 0 ? askNode(store, height) : undefined);
  return judge(values, (await indexChain(chain, tempFolder(), runs, ask)).files);
}

async function askNode(store: Store, height: number): Promise<void> {
  const [contract] = (await Array.fromAsync(servedContracts(store))).flat();
  const [token] = (await readTokens(store, [contract?.deployId ?? 0])).values();
  const answer = { tokenId: token?.tokenId ?? 0, source: 'node', height } as const;
  const readings = [
    { ...answer, getter: 'get-name', value: 'start' },
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
    steps: [{ fund: 'bob', amount: 5n }, call('tok pay', { by: 'bob' })],
    is: 'older: tok get-name',
  },
  {
    name: 'a call that is not evaluated',
    steps: [call('tok set-name "new"')],
    isPending: true,
    is: 'older: tok get-name',
  },
  { name: 'a mint', steps: [call('tok mint')], is: 'right: tok get-total-supply' },
])('behavior: behind the tip of a node: $name', async ({ is, ...later }) => {
  const texts = (await judged(later)).map(formatJudged);
  expect(texts.filter((text) => text.startsWith('wrong'))).toEqual([]);
  expect(texts).toContainEqual(expect.stringContaining(is));
});
