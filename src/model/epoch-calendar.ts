// Derives the epochs of a chain from the contract interfaces in its blocks. On mainnet, a table fills the gaps.
import { EPOCHS, epochOfInterface, MAINNET_CHAIN_ID } from './chain.ts';

/** An epoch that contract interfaces name, and the range of blocks in which these contracts were deployed. */
export interface ObservedEpoch {
  /** The name of the epoch in contract interfaces, such as `Epoch34`. */
  readonly interfaceName: string;
  /** The lowest and the highest burn height of the blocks. */
  readonly firstBurnHeight: number;
  readonly lastBurnHeight: number;
  /** The Clarity version of deploys that declare none; undefined if there was no such deploy. */
  readonly defaultVersion: number | undefined;
}

export interface ChainEpoch {
  /** The name, such as `3.4`. For an epoch that this version does not know, the name in contract interfaces. */
  readonly name: string;
  /** The Clarity version of deploys that declare none; undefined if unknown. */
  readonly clarityVersion: number | undefined;
}

const INTERFACE_NAME = /^Epoch(\d)(?:_?(\d{1,3}))$/;

/** True if an epoch's name contains a version that orders it: `Epoch2_05`, `Epoch41`. */
export function isEpochName(interfaceName: string): boolean {
  return INTERFACE_NAME.test(interfaceName);
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

/** Returns a number that orders an epoch's name: `Epoch2_05` is before `Epoch21`, and `Epoch39` before `Epoch310`. */
function versionOf(interfaceName: string): number {
  const [, major, minor = ''] = INTERFACE_NAME.exec(interfaceName) ?? [];
  return 1_000 * Number(major) + Number(minor.replace(/^0(?=.)/, '0.'));
}

/** The epochs of one chain, by burn height. */
export class EpochCalendar {
  /** Epochs, oldest first, each with the burn height at which it begins. */
  readonly #epochs: readonly (ChainEpoch & { readonly from: number })[];

  constructor(chainId: number | undefined, epochs: readonly ObservedEpoch[]) {
    const named = new Map(epochs.map((epoch) => [epoch.interfaceName, epoch]));
    const names = new Set([...EPOCHS.map(({ interfaceName }) => interfaceName), ...named.keys()]);
    const ordered = [...names].sort((left, right) => versionOf(left) - versionOf(right));
    // For each epoch, the lowest burn height that was observed in this epoch or in any later epoch.
    const reached = ordered.map(() => Number.POSITIVE_INFINITY);
    for (let index = ordered.length - 1, lowest = Number.POSITIVE_INFINITY; index >= 0; index--) {
      lowest = Math.min(lowest, named.get(ordered[index] ?? '')?.firstBurnHeight ?? lowest);
      reached[index] = lowest;
    }
    let highestBefore = -1;
    this.#epochs = ordered.map((interfaceName, index) => {
      const known = epochOfInterface(interfaceName);
      const observed = named.get(interfaceName);
      const inTable = chainId === MAINNET_CHAIN_ID ? known?.mainnetBurnHeight : undefined;
      const from =
        inTable === undefined
          ? (reached[index] as number)
          : Math.min(reached[index] as number, Math.max(inTable, highestBefore + 1));
      highestBefore = Math.max(highestBefore, observed?.lastBurnHeight ?? -1);
      const name = known?.name ?? interfaceName;
      return { name, from, clarityVersion: observed?.defaultVersion ?? known?.clarityVersion };
    });
  }

  /** Returns the epoch at a burn height. Undefined for a height before the first known epoch. */
  at(burnHeight: number): ChainEpoch | undefined {
    return this.#epochs.findLast(({ from }) => from <= burnHeight);
  }

  /**
   * Returns the epoch and the Clarity version of a deploy. An unknown fact is derived from the burn height and from the
   * other fact.
   */
  rulesOf({ clarityVersion, epoch, burnHeight }: DeployFacts): DeployRules {
    const name = epoch ?? this.#epochFor(clarityVersion, burnHeight);
    return {
      epoch: name,
      clarityVersion: clarityVersion ?? this.#epochs.find((epoch) => epoch.name === name)?.clarityVersion,
    };
  }

  /**
   * Returns the name of the epoch at a burn height. If this epoch has a lower Clarity version, returns the first later
   * epoch that has the version.
   */
  #epochFor(clarityVersion: number | undefined, burnHeight: number | undefined): string | undefined {
    const epoch = burnHeight === undefined ? undefined : this.at(burnHeight);
    if (epoch === undefined || (clarityVersion ?? 1) <= (epoch.clarityVersion ?? Number.POSITIVE_INFINITY))
      return epoch?.name;
    const after = this.#epochs.slice(this.#epochs.findIndex(({ name }) => name === epoch.name));
    return (after.find((later) => (later.clarityVersion ?? 0) >= (clarityVersion ?? 1)) ?? epoch).name;
  }

  /** True if both calendars return the same rules for every deploy. */
  equals(other: EpochCalendar): boolean {
    return JSON.stringify(this.#epochs) === JSON.stringify(other.#epochs);
  }
}

/** Known facts about a deploy: from its transaction, its interface and its block. A fact is undefined if unknown. */
interface DeployFacts extends DeployRules {
  readonly burnHeight: number | undefined;
}

export interface DeployRules {
  readonly clarityVersion: number | undefined;
  readonly epoch: string | undefined;
}
