// Tests contracts that the VM's package brings along: the boot contracts, and sBTC. The test finds them in the package.
import { beforeAll, expect, test } from 'vitest';
import { readTokens } from '#store/tokens/tokens.ts';
import { apply, at, mustRead } from '../support/chain-index.ts';
import { openVmIndex } from '../support/index-of-archive.ts';
import { SHARED_EVALUATOR } from '../support/index-options.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { burnEvent, deployJson, mintEvent } from '../support/transactions.ts';
import { source } from './evaluate-with.ts';
import { runInThread } from './run-in-thread.ts';

const SBTC = 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4';
const BOOT = ['SP000000000000000000002Q6VF78', 'ST000000000000000000002AMW42H'];

let bundled: ReadonlyMap<string, string>;
beforeAll(async () => {
  bundled = (await runInThread('./find-bundled.ts')) as typeof bundled;
});

const replay = (contractId: string, sourceCode: string) => {
  const step = { ...source('any', sourceCode), contractId };
  const tokens = [{ contractId, reads: [{ getter: 'get-name' as const }] }];
  return SHARED_EVALUATOR.replay({ steps: [step], tokens, tip: step.block, chainId: 1 }, 60_000);
};

test('the package has sBTC and the boot contracts', () => {
  const ids = [...bundled.keys()];
  expect(ids).toEqual(expect.arrayContaining([`${SBTC}.sbtc-token`, `${SBTC}.sbtc-registry`]));
  for (const address of BOOT) expect(ids).toEqual(expect.arrayContaining([`${address}.pox-4`, `${address}.bns`]));
});

test('each counts as deployed if it has the same code, and is refused with other code', async () => {
  expect(bundled.size).toBeGreaterThan(10);
  for (const [contractId, sourceCode] of bundled) {
    const same = await replay(contractId, `;; a comment\n${sourceCode.trim()}`);
    expect([contractId, same]).toEqual([contractId, expect.objectContaining({ tokens: [expect.anything()] })]);
    expect(JSON.stringify(same)).not.toMatch(/vm-crash|another contract/);
    const other = await replay(contractId, `${sourceCode}\n(define-constant more u1)`);
    expect(JSON.stringify(other)).toContain(
      "The Clarity VM refuses the contract: the VM's package has another contract",
    );
  }
});

test('sBTC at its real id has its values, and a supply of mints less burns', async () => {
  const { store, evaluate, close } = await openVmIndex();
  const [registry, token] = ['sbtc-registry', 'sbtc-token'].map((name, index) => {
    const contractId = `${SBTC}.${name}`;
    const contractInterface = {
      ...TOKEN_INTERFACE,
      fungible_tokens: [{ name: 'sbtc-token' }, { name: 'sbtc-token-locked' }],
    };
    return deployJson(contractId, (bundled.get(contractId) ?? '').trim(), {
      interface: index === 0 ? null : contractInterface,
    });
  });
  const { txid } = token as { readonly txid: string };
  const asset = (name: string) => `${SBTC}.sbtc-token::${name}`;
  const events = [
    mintEvent(txid, asset('sbtc-token'), '700'),
    mintEvent(txid, asset('sbtc-token-locked'), '50', { event_index: 1 }),
    { ...burnEvent(txid, asset('sbtc-token'), '100'), event_index: 2 },
  ];
  await apply(store, [at(0, [{ ...registry }, { ...token }]), at(1, [], { events })]);
  await evaluate();
  const { deployId } = await mustRead(store, `${SBTC}.sbtc-token`);
  const stored = (await readTokens(store, [deployId])).get(deployId);
  const values = Object.fromEntries((stored?.readings ?? []).map(({ getter, value }) => [getter, value]));
  expect(values).toMatchObject({ 'get-name': 'sBTC', 'get-symbol': 'sBTC', 'get-decimals': '8' });
  expect(stored?.readings.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(stored?.supplyAssets).toEqual([asset('sbtc-token'), asset('sbtc-token-locked')]);
  await close();
});
