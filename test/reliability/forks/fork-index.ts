// An index that replays random trees of blocks. It is emptied after each tree.
import { sql } from 'kysely';
import { readCanonical, readTip } from '#store/chain/blocks.ts';
import { readSupplies } from '#store/chain/supplies.ts';
import { readServedAmong } from '#store/contracts/contracts.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import { readTokens } from '#store/tokens/tokens.ts';
import { apply } from '../../support/chain-index.ts';
import { emptyIndex, type VmIndex } from '../../support/index-of-archive.ts';
import type { ForkBlock } from './arrivals.ts';
import { ASSET, contractIdOf, contractOf, eventOf, nameOf } from './fork-events.ts';
import type { Expected } from './model.ts';

/** The state of an index, with names instead of the hashes of blocks and deploys. */
export type Observed = Omit<Expected, 'openGaps' | 'names'> & Partial<Pick<Expected, 'names'>>;

export class ForkIndex {
  readonly #store: Store;
  readonly #vm: VmIndex | undefined;

  private constructor(store: Store, vm: VmIndex | undefined) {
    this.#store = store;
    this.#vm = vm;
  }

  /** Opens an index in memory, or uses the index of `vm`. */
  static async open(vm?: VmIndex): Promise<ForkIndex> {
    const store = vm?.store ?? (await openIndex(':memory:'));
    // The ledger has separate tests. Recording every block in it would take two fifths of the time of these tests.
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_master where type = 'trigger' and name like 'ledger%'`.execute(store);
    for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(store);
    return new ForkIndex(store, vm);
  }

  async close(): Promise<void> {
    await (this.#vm?.close() ?? this.#store.destroy());
  }

  async empty(): Promise<void> {
    await emptyIndex(this.#store);
    await writeInfo(this.#store, { finalHeight: undefined });
  }

  /** Indexes blocks with all their contents, in one transaction. */
  async applyBatch(blocks: readonly ForkBlock[], finalBlocks: number): Promise<void> {
    await apply(this.#store, blocks.map(eventOf), { finalBlocks });
  }

  /** Reads the chain, and the stored data of the contracts. */
  async read(contracts: Iterable<string>): Promise<Observed> {
    const canonical = await readCanonical(this.#store, -1, Number.POSITIVE_INFINITY);
    const tip = await readTip(this.#store);
    const supplies = await readSupplies(this.#store, [ASSET]);
    const served = await readServedAmong(this.#store, [...contracts].map(contractIdOf));
    const gaps = await this.#store
      .selectFrom('chain_failure')
      .select('subject')
      .where('code', '=', 'block-gap')
      .execute();
    const modes = await this.#store.selectFrom('update_mode').select(['contract_id', 'update_mode']).execute();
    return {
      tip: tip && nameOf(tip.indexBlockHash),
      final: (await readInfo(this.#store)).finalHeight,
      canonical: new Set(canonical.map(({ indexBlockHash }) => nameOf(indexBlockHash))),
      supply: Number(supplies.get(ASSET) ?? 0n),
      served: new Map(
        served.map(({ contractId, canonical, blockHeight, txId, clarityVersion }) => [
          contractOf(contractId),
          { canonical, height: blockHeight, deploy: nameOf(txId), clarityVersion },
        ]),
      ),
      modes: new Map(modes.map((row) => [contractOf(row.contract_id), row.update_mode])),
      gaps: new Set(gaps.map((row) => nameOf(row.subject))),
    };
  }

  /** Evaluates the tokens that are due, and returns the symbols and names of canonical tokens. */
  async readNames(contracts: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    await this.#vm?.evaluate();
    // Evaluating tokens must not make tokens due again.
    if (((await this.#vm?.evaluate()) ?? 0) > 0) throw new Error('tokens are due after all were evaluated');
    const served = await readServedAmong(this.#store, [...contracts].map(contractIdOf));
    const canonical = served.filter((contract) => contract.canonical);
    const deployIds = canonical.map(({ deployId }) => deployId);
    const tokens = await readTokens(this.#store, deployIds);
    const names = new Map<string, string>();
    for (const { contractId, deployId } of canonical) {
      const values = tokens.get(deployId)?.values;
      if (values !== undefined) names.set(contractOf(contractId), `${values.symbol} ${values.name ?? 'no name'}`);
    }
    return names;
  }
}
