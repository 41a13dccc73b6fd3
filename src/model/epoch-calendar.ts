// Finds the epoch of mainnet at a burn height, and the rules of a deploy: its epoch and its Clarity version.
import { EPOCHS, epochOfInterface, MAINNET_CHAIN_ID } from './chain.ts';

export interface DeployRules {
  readonly clarityVersion: number | undefined;
  readonly epoch: string | undefined;
}

/** Known facts about a deploy: from its transaction, its interface and its block. A fact is undefined if unknown. */
interface DeployFacts extends DeployRules {
  readonly burnHeight: number | undefined;
}

/**
 * Returns the name under which an epoch is stored, such as `3.4` for `Epoch34`. Names of unknown epochs stay unchanged.
 */
export function storedEpochName(interfaceName: string | undefined): string | undefined {
  return epochOfInterface(interfaceName)?.name ?? interfaceName;
}

/** Returns the name that contract interfaces use for a stored epoch, such as `Epoch34` for `3.4`. */
export function interfaceNameOf(storedName: string): string {
  return EPOCHS.find(({ name }) => name === storedName)?.interfaceName ?? storedName;
}

/** Returns the epoch at a burn height. Undefined below mainnet's first epoch, and on all other chains. */
export function epochAt(chainId: number | undefined, burnHeight: number): (typeof EPOCHS)[number] | undefined {
  if (chainId !== MAINNET_CHAIN_ID) return undefined;
  return EPOCHS.findLast(({ mainnetBurnHeight }) => mainnetBurnHeight <= burnHeight);
}

/**
 * Returns the epoch and the Clarity version of a deploy. An unknown epoch is derived from the burn height, and an
 * unknown Clarity version from the epoch.
 */
export function rulesOf(chainId: number | undefined, { clarityVersion, epoch, burnHeight }: DeployFacts): DeployRules {
  const name = epoch ?? (burnHeight === undefined ? undefined : epochAt(chainId, burnHeight)?.name);
  const known = EPOCHS.find((candidate) => candidate.name === name);
  return { epoch: name, clarityVersion: clarityVersion ?? known?.clarityVersion };
}
