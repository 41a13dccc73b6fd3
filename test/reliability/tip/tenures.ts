// The tenures of a chain: which burn block each begins with, and the transactions that begin and extend them.
import { encodeTenureChange, type Network } from './encode-transaction.ts';
import { type Executed, succeeded } from './observed-block.ts';

export class Tenures {
  readonly #network: Network;
  #burnHeight = -1;
  #tenure: { readonly burnHeight: number; readonly burnTime: number };
  #isExtended = false;

  /** `burnHeight`: where the chain begins. */
  constructor(network: Network, burnHeight: number) {
    this.#network = network;
    this.#tenure = { burnHeight, burnTime: 0 };
  }

  get present() {
    return this.#tenure;
  }

  /** The next burn block begins no tenure. */
  extend(): void {
    this.#isExtended = true;
  }

  /** Returns what a block executes first, if it is the first that sees this burn block. */
  see(burnHeight: number, time: number): Executed[] {
    if (burnHeight === this.#burnHeight) return [];
    this.#burnHeight = burnHeight;
    if (!this.#isExtended) this.#tenure = { burnHeight, burnTime: time };
    this.#isExtended = false;
    const change = encodeTenureChange(this.#network, this.#tenure.burnHeight, burnHeight);
    return [{ transaction: succeeded(change), events: [] }];
  }
}
