// Tracks the tenures of a chain: the burn block that begins each tenure, and the transactions that begin and extend it.
import { encodeTenureChange, type Network } from './encode-transaction.ts';
import { type Executed, succeeded } from './observed-block.ts';

export class Tenures {
  readonly #network: Network;
  #burnHeight = -1;
  #tenure: { readonly burnHeight: number; readonly burnTime: number };
  #isExtended = false;

  /** `burnHeight` is the burn height at the start of the chain. */
  constructor(network: Network, burnHeight: number) {
    this.#network = network;
    this.#tenure = { burnHeight, burnTime: 0 };
  }

  get present() {
    return this.#tenure;
  }

  /** Makes the next burn block extend the present tenure instead of beginning a new one. */
  extend(): void {
    this.#isExtended = true;
  }

  /** Returns the tenure change that the next Stacks block executes first. Empty unless the burn block is new. */
  see(burnHeight: number, time: number): Executed[] {
    if (burnHeight === this.#burnHeight) return [];
    this.#burnHeight = burnHeight;
    if (!this.#isExtended) this.#tenure = { burnHeight, burnTime: time };
    this.#isExtended = false;
    const change = encodeTenureChange(this.#network, this.#tenure.burnHeight, burnHeight);
    return [{ transaction: succeeded(change), events: [] }];
  }
}
