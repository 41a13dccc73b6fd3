// Finds reasons why a value may differ from the result of its getter at the tip. Takes a variable or the steps of a
// plan, and returns a failure.

import { CHAIN, INVENTED, MAP_RULE, STX } from '#clarity/builtins.ts';
import { type Failure, fail } from '#model/failure.ts';
import type { VmEpoch } from '#vm/vm-rules.ts';
import { HEIGHTS } from './block-facts.ts';
import type { ChainReader } from './chain-reader.ts';
import { isPlacedCall, type PlannedStep } from './trace-steps.ts';
import { canBeFollowed, contractOf, nameOf, type Variable } from './transitive-effects.ts';

/** Returns a reason if the VM may evaluate under rules that differ from the chain's. */
export async function reasonForRules(chain: ChainReader, steps: readonly PlannedStep[]): Promise<Failure | undefined> {
  const deploy = steps.find((step) => !isPlacedCall(step) && !step.isExact);
  if (deploy !== undefined) {
    const { contractId } = deploy.request;
    return fail('epoch-unknown', `The Clarity VM does not know the epoch or Clarity version of ${contractId}.`);
  }
  const tip = await chain.tipEpoch();
  if (tip?.isExact !== false) return undefined;
  return fail('epoch-unknown', "The Clarity VM does not know the epoch of the chain's tip.");
}

/** Returns a reason if a variable's value may not be replayed completely. `lost` are variables with omitted writers. */
export async function reasonForVariable(
  chain: ChainReader,
  variable: Variable,
  lost: ReadonlySet<Variable>,
): Promise<Failure | undefined> {
  const [contractId, name] = [contractOf(variable), nameOf(variable)];
  if (HEIGHTS.has(name)) return fail('height-not-known', `The value depends on a block height in ${contractId}.`);
  if (name === MAP_RULE) return mayHaveMapRule(await chain.tipEpoch()) ? fail('vm-outdated') : undefined;
  if (INVENTED.has(name)) return notReplayed(variable);
  if (lost.has(variable))
    return fail('replay-limit', `Too many functions or deploys may write ${name} in ${contractId}.`);
  const isFollowed = canBeFollowed(variable);
  if (isFollowed && (await chain.blocksSince(contractId)).hasAllBlocks) return undefined;
  if (!(await canChange(chain, variable))) return undefined;
  if (isFollowed)
    return fail('calls-not-recorded', `The value depends on ${name} in ${contractId}, and blocks are missing.`);
  return fail('ownership-not-followed', `The value depends on who owns ${name.slice(2)} in ${contractId}.`);
}

/** True if the tip may be in epoch 4.0. Its epoch is undefined if it is unknown. */
function mayHaveMapRule(tip: VmEpoch | undefined): boolean {
  return tip === undefined || tip.epoch === '4.0';
}

/** Returns the reason for leaving out a value that depends on state which a VM session invents. */
export function notReplayed(variable: Variable): Failure {
  return fail('state-not-replayed', `The value depends on ${describe(nameOf(variable))} in ${contractOf(variable)}.`);
}

/** True if any transaction can change a variable. Checks only functions of its contract, as no others can write it. */
export async function canChange({ summaries }: ChainReader, variable: Variable): Promise<boolean> {
  return (await summaries.writableOf(contractOf(variable))).has(variable);
}

function describe(name: string): string {
  return name === STX
    ? 'balances of STX'
    : name === CHAIN
      ? 'other blocks or sponsors'
      : 'a contract whose source is not known';
}
