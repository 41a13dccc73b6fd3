// Tracks the tenures of a chain: the burn block that begins each tenure, and the transactions that begin and extend it.
import { createTenureChangePayload, serializePayloadBytes, TenureChangeCause } from '@stacks/transactions';
import { encode } from '../../support/transactions.ts';
import { accountAddress, CHAIN_IDS, type Network } from './accounts.ts';
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
    return [{ transaction: succeeded(this.#encodeChange(burnHeight)), events: [] }];
  }

  /** Encodes a transaction that begins or extends a tenure. Its consensus hashes are made of burn heights. */
  #encodeChange(view: number) {
    const consensusHash = (height: number) => height.toString(16).padStart(40, '0');
    const [tenure, earlier, latest] = [this.#tenure.burnHeight, 0, view].map(consensusHash) as [string, string, string];
    const cause = tenure === latest ? TenureChangeCause.BlockFound : TenureChangeCause.Extended;
    const hashes = [tenure, earlier, latest, '00'.repeat(32)] as const;
    const payload = createTenureChangePayload(...hashes, 1, cause, '00'.repeat(20));
    const by = accountAddress('miner', this.#network);
    return encode(serializePayloadBytes(payload), { by, chainId: CHAIN_IDS[this.#network], nonce: view });
  }
}
