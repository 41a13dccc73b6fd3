// Chooses the epoch and the Clarity version for an evaluation. Uses the newest rules of the VM if it does not know the
// rules of the chain.
import { EPOCHS, type EpochName } from '#model/chain.ts';
import type { DeployRules } from '#model/epoch-calendar.ts';

const NEWEST = EPOCHS[EPOCHS.length - 1] as (typeof EPOCHS)[number];

export interface VmEpoch {
  readonly epoch: EpochName;
  /** False if the VM does not know the rules of the chain. Results of the VM may then differ. */
  readonly isExact: boolean;
}

/** Returns the VM's epoch for the name of an epoch in `contract.epoch`. */
export function vmEpochOf(name: string): VmEpoch {
  const known = EPOCHS.find((epoch) => epoch.name === name);
  return { epoch: known?.name ?? NEWEST.name, isExact: known !== undefined };
}

/**
 * Returns the rules of the VM for a deploy. If the epoch is unknown, uses the last epoch in which the deploy's Clarity
 * version was the newest.
 */
export function vmRulesOf({ epoch: name, clarityVersion }: DeployRules): VmEpoch & { readonly clarityVersion: number } {
  const isKnown = clarityVersion !== undefined && clarityVersion >= 1 && clarityVersion <= NEWEST.clarityVersion;
  const guessed = EPOCHS.findLast((known) => known.clarityVersion === clarityVersion)?.name;
  const { epoch, isExact } = vmEpochOf(name ?? guessed ?? '');
  return { epoch, isExact: isExact && isKnown, clarityVersion: isKnown ? clarityVersion : NEWEST.clarityVersion };
}
