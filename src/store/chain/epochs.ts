// Stores observations of epochs from contract interfaces in blocks, and reads the calendar of the chain's epochs.
import { sql } from 'kysely';
import { EpochCalendar, type ObservedEpoch } from '#model/epoch-calendar.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { readInfo } from '../index-info.ts';

export async function readCalendar(store: StoreReader): Promise<EpochCalendar> {
  const { chainId } = await readInfo(store);
  const rows = await store.selectFrom('observed_epoch').selectAll().execute();
  const seen = rows.map((row) => ({
    interfaceName: row.interface_name,
    firstBurnHeight: row.first_burn_height,
    lastBurnHeight: row.last_burn_height,
    defaultVersion: row.default_version ?? undefined,
  }));
  return new EpochCalendar(chainId, seen);
}

/** Stores observations of epochs, in any order. */
export async function noteEpochs(store: StoreWriter, seen: readonly ObservedEpoch[]): Promise<void> {
  for (const { interfaceName, firstBurnHeight, lastBurnHeight, defaultVersion } of seen)
    await sql`insert into observed_epoch
      values (${interfaceName}, ${firstBurnHeight}, ${lastBurnHeight}, ${defaultVersion ?? null})
      on conflict do update set
        first_burn_height = min(first_burn_height, excluded.first_burn_height),
        last_burn_height = max(last_burn_height, excluded.last_burn_height),
        default_version = max(coalesce(default_version, excluded.default_version),
          coalesce(excluded.default_version, default_version))`.execute(store);
}

/** Returns the contracts that blocks deploy without a Clarity version or epoch, which the calendar then provides. */
export async function contractsWithoutFacts(store: StoreReader): Promise<string[]> {
  const rows = await store
    .selectFrom('deploy')
    .select('contract_id')
    .distinct()
    .where(({ eb, or }) => or([eb('clarity_version', 'is', null), eb('epoch', 'is', null)]))
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('inclusion').select('deploy_id').whereRef('inclusion.deploy_id', '=', 'deploy.deploy_id')),
    )
    .execute();
  return rows.map((row) => row.contract_id);
}
