// Derives the epochs of a chain from the contract interfaces in its blocks, and fills gaps from mainnet's table.
import { EPOCHS, epochOfInterface, MAINNET_CHAIN_ID } from './chain.ts';

/** Facts about an epoch from the interfaces of deploys in blocks. */
export interface SeenEpoch {
  /** The name in interfaces: `Epoch34`. */
  readonly interfaceName: string;
  /** The lowest and highest burn heights of blocks with such a deploy. */
  readonly firstBurnHeight: number;
  readonly lastBurnHeight: number;
  /** Clarity version of unversioned deploys; undefined if there was no such deploy. */
  readonly defaultVersion: number | undefined;
}

export interface ChainEpoch {
  /** `3.4`; the name in interfaces if this version does not know the epoch. */
  readonly name: string;
  /** Clarity version of unversioned deploys; undefined if unknown. */
  readonly clarityVersion: number | undefined;
}

const INTERFACE_NAME = /^Epoch(\d)(?:_?(\d{1,3}))$/;

/** True for a name that can be ordered among other epochs: `Epoch2_05`, `Epoch41`. */
export function isEpochName(interfaceName: string): boolean {
  return INTERFACE_NAME.test(interfaceName);
}

/** The stored name of the epoch that an interface names: `3.4`, or the interface's text if it is unknown. */
export function storedEpochName(interfaceName: string | undefined): string | undefined {
  return epochOfInterface(interfaceName)?.name ?? interfaceName;
}

/** The name in interfaces of a stored epoch: `Epoch34` for `3.4`. */
export function interfaceNameOf(storedName: string): string {
  return EPOCHS.find(({ name }) => name === storedName)?.interfaceName ?? storedName;
}

/** The version number: 2.05 for `Epoch2_05`. */
function numberOf(interfaceName: string): number {
  const [, major, minor] = INTERFACE_NAME.exec(interfaceName) ?? [];
  return Number(`${major}.${minor}`);
}

export class EpochCalendar {
  /** Oldest first, each with the burn height at which it begins. */
  readonly #epochs: readonly (ChainEpoch & { readonly from: number })[];

  constructor(chainId: number | undefined, seen: readonly SeenEpoch[]) {
    const named = new Map(seen.map((epoch) => [epoch.interfaceName, epoch]));
    const names = new Set([...EPOCHS.map(({ interfaceName }) => interfaceName), ...named.keys()]);
    const ordered = [...names].sort((left, right) => numberOf(left) - numberOf(right));
    // The lowest burn height known to be in each epoch or a later one, and the highest known to be in an earlier one.
    const reached = ordered.map(() => Number.POSITIVE_INFINITY);
    for (let index = ordered.length - 1, lowest = Number.POSITIVE_INFINITY; index >= 0; index--) {
      lowest = Math.min(lowest, named.get(ordered[index] ?? '')?.firstBurnHeight ?? lowest);
      reached[index] = lowest;
    }
    let highestBefore = -1;
    this.#epochs = ordered.map((interfaceName, index) => {
      const known = epochOfInterface(interfaceName);
      const seenEpoch = named.get(interfaceName);
      const inTable = chainId === MAINNET_CHAIN_ID ? known?.mainnetBurnHeight : undefined;
      const from =
        inTable === undefined
          ? (reached[index] as number)
          : Math.min(reached[index] as number, Math.max(inTable, highestBefore + 1));
      highestBefore = Math.max(highestBefore, seenEpoch?.lastBurnHeight ?? -1);
      const name = known?.name ?? interfaceName;
      return { name, from, clarityVersion: seenEpoch?.defaultVersion ?? known?.clarityVersion };
    });
  }

  /** The epoch at a burn height; undefined below the first known height. */
  at(burnHeight: number): ChainEpoch | undefined {
    return this.#epochs.findLast(({ from }) => from <= burnHeight);
  }

  /**
   * The rules of a deploy: facts that its transaction or interface holds, completed from its block's burn height and
   * from each other.
   */
  rulesOf({ clarityVersion, epoch, burnHeight }: DeployFacts): DeployRules {
    const name = epoch ?? this.#epochFor(clarityVersion, burnHeight);
    return {
      epoch: name,
      clarityVersion: clarityVersion ?? this.#epochs.find((epoch) => epoch.name === name)?.clarityVersion,
    };
  }

  /** The epoch at a burn height, or a later one if the version is newer. */
  #epochFor(clarityVersion: number | undefined, burnHeight: number | undefined): string | undefined {
    const epoch = burnHeight === undefined ? undefined : this.at(burnHeight);
    if (epoch === undefined || (clarityVersion ?? 1) <= (epoch.clarityVersion ?? Number.POSITIVE_INFINITY))
      return epoch?.name;
    const after = this.#epochs.slice(this.#epochs.findIndex(({ name }) => name === epoch.name));
    return (after.find((later) => (later.clarityVersion ?? 0) >= (clarityVersion ?? 1)) ?? epoch).name;
  }

  /** True if both give the same rules to every deploy. */
  equals(other: EpochCalendar): boolean {
    return JSON.stringify(this.#epochs) === JSON.stringify(other.#epochs);
  }
}

/** Facts about a deploy; each member is undefined if it is unknown. */
export interface DeployFacts {
  readonly clarityVersion: number | undefined;
  readonly epoch: string | undefined;
  readonly burnHeight: number | undefined;
}

export interface DeployRules {
  readonly clarityVersion: number | undefined;
  readonly epoch: string | undefined;
}
