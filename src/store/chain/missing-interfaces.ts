// Queries about contracts whose interface is missing, or was computed by the VM.
import { type SqlBool, sql } from 'kysely';
import type { DeployRules } from '#model/epoch-calendar.ts';
import type { Failure } from '#model/failure.ts';
import { countRows } from '#sqlite/aggregates.ts';
import { insertRows } from '#sqlite/lists.ts';
import { failureColumns } from '#sqlite/tables.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';

/** A literal instead of a parameter, so that SQLite can choose the partial index when it prepares the statement. */
const IS_NOT_FROM_SOURCE = sql<SqlBool>`deploy.interface_from is not 'source'`;

function lacking(store: StoreReader) {
  return (
    store
      .selectFrom('deploy')
      // The cross join makes SQLite start from deploys, because few of them lack an interface.
      .crossJoin('contract')
      .whereRef('contract.deploy_id', '=', 'deploy.deploy_id')
      .where(IS_NOT_FROM_SOURCE)
  );
}

export interface InterfaceCounts {
  readonly computed: number;
  readonly missing: number;
  /** The ids of the first contracts without an interface, in order of id. */
  readonly missingIds: readonly string[];
}

export async function countInterfaces(store: StoreReader, maxIds: number): Promise<InterfaceCounts> {
  const missing = lacking(store).where('deploy.interface_from', 'is', null);
  const ids = await missing.select('contract.contract_id').orderBy('contract.contract_id').limit(maxIds).execute();
  return {
    computed: await countRows(lacking(store).where('deploy.interface_from', '=', 'vm')),
    missing: await countRows(missing),
    missingIds: ids.map((row) => row.contract_id),
  };
}

/** Returns contracts whose interface the VM should compute. Skips contracts that this VM tried with the same rules. */
export async function interfacesToCompute(store: StoreReader, vmVersion: string): Promise<string[]> {
  const rows = await lacking(store)
    .leftJoin('interface_attempt', 'interface_attempt.deploy_id', 'deploy.deploy_id')
    .select('contract.contract_id')
    .where(sql<SqlBool>`(interface_attempt.vm_version is not ${vmVersion}
      or interface_attempt.clarity_version is not contract.clarity_version
      or interface_attempt.epoch is not contract.epoch)`)
    .execute();
  return rows.map((row) => row.contract_id);
}

type Attempted = DeployRules & { readonly deployId: number };

/** Stores an attempt to compute an interface. `inputs` are the ids of the contracts that the attempt looked up. */
export async function writeAttempt(
  store: StoreWriter,
  { deployId, clarityVersion, epoch }: Attempted,
  vmVersion: string,
  inputs: readonly string[],
  failure: Failure | undefined,
): Promise<void> {
  const columns = {
    vm_version: vmVersion,
    clarity_version: clarityVersion ?? null,
    epoch: epoch ?? null,
    ...failureColumns(failure),
  };
  await store
    .insertInto('interface_attempt')
    .values({ deploy_id: deployId, ...columns })
    .onConflict((conflict) => conflict.column('deploy_id').doUpdateSet(columns))
    .execute();
  await store.deleteFrom('interface_input').where('deploy_id', '=', deployId).execute();
  const rows = inputs.map((contractId) => ({ contract_id: contractId, deploy_id: deployId }));
  await insertRows(store, 'interface_input', rows);
}
