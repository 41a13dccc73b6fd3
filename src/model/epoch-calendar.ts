// Derives the epochs of a chain from the contract interfaces in its blocks, and fills gaps from mainnet's table.
import { EPOCHS, epochOfInterface, MAINNET_CHAIN_ID } from './chain.ts';

/** The blocks in which deploys with interfaces of an epoch were observed. */
export interface ObservedEpoch {
  /** The name in interfaces, such as `Epoch34`. */
  readonly interfaceName: string;
  /** The lowest and highest burn heights of these blocks. */
  readonly firstBurnHeight: number;
  readonly lastBurnHeight: number;
  /** Clarity version of unversioned deploys; undefined if none was observed. */
  readonly defaultVersion: number | undefined;
}

export interface ChainEpoch {
  /** The name, such as `3.4`; the name in interfaces if this version does not know the epoch. */
  readonly name: string;
  /** Clarity version of unversioned deploys; undefined if unknown. */
  readonly clarityVersion: number | undefined;
}

const INTERFACE_NAME = /^Epoch(\d)(?:_?(\d{1,3}))$/;

/** True for a name of an epoch in the known form: `Epoch2_05`, `Epoch41`. Such names can be ordered. */
export function isEpochName(interfaceName: string): boolean {
  return INTERFACE_NAME.test(interfaceName);
}

/** Returns the name under which an epoch is stored: `3.4` for `Epoch34`, or the unchanged name of an unknown epoch. */
export function storedEpochName(interfaceName: string | undefined): string | undefined {
  return epochOfInterface(interfaceName)?.name ?? interfaceName;
}

/** Returns the name in interfaces of a stored epoch: `Epoch34` for `3.4`. */
export function interfaceNameOf(storedName: string): string {
  return EPOCHS.find(({ name }) => name === storedName)?.interfaceName ?? storedName;
}

/** Returns the version number, such as 2.05 for `Epoch2_05`. */
function versionOf(interfaceName: string): number {
  const [, major, minor] = INTERFACE_NAME.exec(interfaceName) ?? [];
  return Number(`${major}.${minor}`);
}

/** The epochs of one chain, by burn height. */
export class EpochCalendar {
  /** Epochs, oldest first, each with the burn height at which it begins. */
  readonly #epochs: readonly (ChainEpoch & { readonly from: number })[];

  constructor(chainId: number | undefined, epochs: readonly ObservedEpoch[]) {
    const named = new Map(epochs.map((epoch) => [epoch.interfaceName, epoch]));
    const names = new Set([...EPOCHS.map(({ interfaceName }) => interfaceName), ...named.keys()]);
    const ordered = [...names].sort((left, right) => versionOf(left) - versionOf(right));
    // For each epoch, the lowest burn height observed in it or in a later one.
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

  /** Returns the epoch at a burn height; undefined below the first known height. */
  at(burnHeight: number): ChainEpoch | undefined {
    return this.#epochs.findLast(({ from }) => from <= burnHeight);
  }

  /** Returns the rules of a deploy. Missing facts are derived from the burn height of its block and from each other. */
  rulesOf({ clarityVersion, epoch, burnHeight }: DeployFacts): DeployRules {
    const name = epoch ?? this.#epochFor(clarityVersion, burnHeight);
    return {
      epoch: name,
      clarityVersion: clarityVersion ?? this.#epochs.find((epoch) => epoch.name === name)?.clarityVersion,
    };
  }

  /** Returns the epoch at a burn height, or the first later epoch that has the Clarity version. */
  #epochFor(clarityVersion: number | undefined, burnHeight: number | undefined): string | undefined {
    const epoch = burnHeight === undefined ? undefined : this.at(burnHeight);
    if (epoch === undefined || (clarityVersion ?? 1) <= (epoch.clarityVersion ?? Number.POSITIVE_INFINITY))
      return epoch?.name;
    const after = this.#epochs.slice(this.#epochs.findIndex(({ name }) => name === epoch.name));
    return (after.find((later) => (later.clarityVersion ?? 0) >= (clarityVersion ?? 1)) ?? epoch).name;
  }

  /** True if both calendars give the same rules to every deploy. */
  equals(other: EpochCalendar): boolean {
    return JSON.stringify(this.#epochs) === JSON.stringify(other.#epochs);
  }
}

/** Facts about a deploy, from its transaction, its interface and its block. Each is undefined if unknown. */
export interface DeployFacts {
  readonly clarityVersion: number | undefined;
  readonly epoch: string | undefined;
  readonly burnHeight: number | undefined;
}

export interface DeployRules {
  readonly clarityVersion: number | undefined;
  readonly epoch: string | undefined;
}
