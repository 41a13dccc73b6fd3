// Tests rules that depend on the epoch or the Clarity version. SIPs and the node define these rules.
import { expect, test } from 'vitest';
import { EPOCHS, type EpochName } from '#model/chain.ts';
import { isFailure } from '#model/failure.ts';
import { SHARED_EVALUATOR } from '../support/index-options.ts';
import { source } from './evaluate-with.ts';

/** Returns the value of a getter with this body in an epoch; undefined if the VM rejects the body. */
async function valueIn(
  body: string,
  clarityVersion: number,
  deployEpoch: EpochName,
  tipEpoch = deployEpoch,
  definitions = '',
) {
  const token = {
    ...source('token', `(define-read-only (get-name) (ok ${body}))${definitions}`, clarityVersion),
    epoch: deployEpoch,
  };
  const tokens = [{ contractId: token.contractId, reads: [{ getter: 'get-name' as const }] }];
  const replayed = await SHARED_EVALUATOR.replay({ steps: [token], tokens, tip: token.block, tipEpoch }, 60_000);
  const [read] = isFailure(replayed) ? [] : replayed.tokens;
  return read === undefined || isFailure(read) ? undefined : read.results[0]?.value;
}

const text = (condition: string) => `(if ${condition} "yes" "no")`;
const AT_BLOCK = '(at-block 0x0101010101010101010101010101010101010101010101010101010101010101 "yes")';

/** The last two values of each row are the first and the last Clarity version in which the VM accepts the body. */
test.each([
  ['SIP-015', 'slice?', text('(is-some (slice? "abc" u0 u1))'), 2, 6],
  ['SIP-015', 'stx-account', text('(is-eq (get locked (stx-account tx-sender)) u0)'), 2, 6],
  ['SIP-015', 'is-standard', text('(or (is-standard tx-sender) true)'), 2, 6],
  ['SIP-015', 'comparison of texts', text('(< "a" "b")'), 2, 6],
  ['SIP-021', 'block-height', text('(>= block-height u0)'), 1, 2],
  ['SIP-021', 'stacks-block-height', text('(>= stacks-block-height u0)'), 3, 6],
  ['SIP-021', 'tenure-height', text('(>= tenure-height u0)'), 3, 6],
  ['SIP-033', 'as-contract', text('(is-eq (as-contract u1) u1)'), 1, 3],
  ['SIP-033', 'contract-hash?', text('(is-err (contract-hash? tx-sender))'), 4, 6],
  ['SIP-033', 'to-ascii?', text('(is-ok (to-ascii? u5))'), 4, 6],
] as const)('applies %s: %s', async (_, __, body, first, last) => {
  for (const version of [1, 2, 3, 4, 5, 6]) {
    const { name } = EPOCHS.find(({ clarityVersion }) => clarityVersion === version) ?? EPOCHS[0];
    expect([version, await valueIn(body, version, name)]).toEqual([
      version,
      first <= version && version <= last ? 'yes' : undefined,
    ]);
  }
});

test('rejects at-block since epoch 3.4, also in older contracts (stacks-core 6937)', async () => {
  expect(await valueIn(AT_BLOCK, 2, '2.4', '3.3')).toBe('yes');
  // The contract was deployed earlier, but the VM calls getters in the epoch of the tip.
  expect(await valueIn(AT_BLOCK, 2, '2.4', '3.4')).toBeUndefined();
  expect(await valueIn(AT_BLOCK, 2, '3.4')).toBeUndefined();
});

// In epoch 4.0, a node returns an empty list (stacks-core, map_off_by_one). The bundled VM does not, so the status of
// such values reports vm-outdated. If this test fails with a newer VM, remove vm-outdated.
test('returns one element too many for map over an empty and another sequence (stacks-core)', async () => {
  const body = text('(is-eq (len (map + (filter is-zero (list u1 u2)) (list u1 u2))) u1)');
  const definitions = '(define-private (is-zero (n uint)) (is-eq n u0))';
  expect(await valueIn(body, 2, '2.4', '3.4', definitions)).toBe('yes');
  expect(await valueIn(body, 2, '2.4', '4.0', definitions)).toBe('yes');
});
