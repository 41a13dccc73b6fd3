// Stores deploy transactions with their code, and fills in missing fields of stored deploys.

import type { CodeReferences } from '#model/chain-event.ts';
import type { InterfaceOrigin } from '#model/contract-interface.ts';
import { type PackedCode, packCode, unpackCode } from '#model/packed-code.ts';
import type { TokenStandard } from '#model/token.ts';
import { highest } from '#sqlite/aggregates.ts';
import { hashFromBlob, hashToBlob } from '#sqlite/columns.ts';
import { insertRows, listedHashes } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { CODE_COLUMNS, codeColumns, toPackedCode } from './code-columns.ts';
import { insertReferences } from './references.ts';

export interface NewDeploy {
  readonly txId: string;
  readonly contractId: string;
  readonly senderAddress: string;
  /** Undefined if both the transaction and the interface lack it. */
  readonly clarityVersion: number | undefined;
  readonly epoch: string | undefined;
  readonly standard: TokenStandard | undefined;
  readonly code: PackedCode;
  readonly references: CodeReferences;
}

/** A stored deploy. If forks ran a transaction under different rules, it has a deploy for each set of rules. */
interface KnownDeploy {
  readonly deployId: number;
  clarityVersion: number | null;
  epoch: string | null;
}

export async function upsertDeploys(store: StoreWriter, deploys: readonly NewDeploy[]): Promise<number[]> {
  const known: Map<string, KnownDeploy[]> = await findKnownDeploys(store, deploys);
  const added: NewDeploy[] = [];
  const repeated: { readonly deployId: number; readonly deploy: NewDeploy }[] = [];
  const firstId = (await highest(store, 'deploy', 'deploy_id')) + 1;
  const deployIds = deploys.map((deploy) => {
    const key = keyOf(deploy.txId, deploy.contractId);
    const stored = known.get(key) ?? [];
    const same = stored.find((candidate) => agrees(candidate, deploy));
    const deployId = same?.deployId ?? firstId + added.length;
    if (same === undefined) added.push(deploy);
    else repeated.push({ deployId, deploy });
    // The stored deploy may lack these fields: a node's response has no epoch, and an older interface has no version.
    const merged = same ?? { deployId, clarityVersion: null, epoch: null };
    merged.clarityVersion ??= deploy.clarityVersion ?? null;
    merged.epoch ??= deploy.epoch ?? null;
    if (same === undefined) known.set(key, [...stored, merged]);
    return deployId;
  });
  await insertDeploys(store, added, firstId);
  for (const { deployId, deploy } of repeated) await fillIn(store, deployId, deploy);
  return deployIds;
}

function agrees(known: KnownDeploy, { clarityVersion, epoch }: NewDeploy): boolean {
  const isSame = <T>(left: T | null, right: T | undefined) => left === null || right === undefined || left === right;
  return isSame(known.clarityVersion, clarityVersion) && isSame(known.epoch, epoch);
}

async function findKnownDeploys(store: StoreReader, deploys: readonly NewDeploy[]) {
  const rows = await store
    .selectFrom('deploy')
    .select(['deploy_id as deployId', 'tx_id', 'contract_id', 'clarity_version as clarityVersion', 'epoch'])
    .where('tx_id', 'in', listedHashes(deploys.map(({ txId }) => txId)))
    .orderBy('deploy_id')
    .execute();
  return Map.groupBy(rows, (row) => keyOf(hashFromBlob(row.tx_id), row.contract_id));
}

/** An API may report the transaction of another contract. */
function keyOf(txId: string, contractId: string): string {
  return `${txId} ${contractId}`;
}

async function insertDeploys(store: StoreWriter, deploys: readonly NewDeploy[], firstId: number): Promise<void> {
  const rows = deploys.map((deploy, index) => ({
    deploy_id: firstId + index,
    tx_id: hashToBlob(deploy.txId),
    ...deployColumns(deploy),
  }));
  await insertRows(store, 'deploy', rows);
  const code = deploys.map((deploy, index) => ({ deploy_id: firstId + index, ...codeColumns(deploy.code) }));
  await insertRows(store, 'deploy_code', code);
  const references = deploys.map((deploy, index) => ({ ...deploy.references, deployId: firstId + index }));
  await insertReferences(store, references);
}

/** Fills in missing fields of a stored deploy. Keeps its source. */
async function fillIn(store: StoreWriter, deployId: number, deploy: NewDeploy): Promise<void> {
  const { clarity_version, epoch } = deployColumns(deploy);
  await store
    .updateTable('deploy')
    .set((eb) => ({
      clarity_version: eb.fn.coalesce('clarity_version', eb.val(clarity_version)),
      epoch: eb.fn.coalesce('epoch', eb.val(epoch)),
    }))
    .where('deploy_id', '=', deployId)
    .execute();
  if (deploy.code.interfaceBytes === undefined) return;
  const { interfaceJson } = unpackCode(deploy.code);
  if (interfaceJson !== undefined)
    await writeInterface(store, deployId, { interfaceJson, standard: deploy.standard }, 'source');
}

/** Stores the interface of a deploy, unless it has an interface from a source. Returns true if it was stored. */
export async function writeInterface(
  store: StoreWriter,
  deployId: number,
  { interfaceJson, standard }: { readonly interfaceJson: string; readonly standard: TokenStandard | undefined },
  origin: InterfaceOrigin,
): Promise<boolean> {
  const known = await store
    .selectFrom('deploy_code')
    .innerJoin('deploy', 'deploy.deploy_id', 'deploy_code.deploy_id')
    .select(CODE_COLUMNS)
    .where('deploy.deploy_id', '=', deployId)
    .where('deploy.interface_from', 'is distinct from', 'source')
    .executeTakeFirst();
  if (known === undefined) return false;
  const { source } = unpackCode(toPackedCode(known));
  await store
    .updateTable('deploy_code')
    .set(codeColumns(packCode(source, interfaceJson)))
    .where('deploy_id', '=', deployId)
    .execute();
  await store
    .updateTable('deploy')
    .set({ standard: standard ?? null, interface_from: origin })
    .where('deploy_id', '=', deployId)
    .execute();
  return true;
}

export function deployColumns(deploy: NewDeploy) {
  const { contractId, senderAddress, clarityVersion, epoch, standard, references, code } = deploy;
  return {
    contract_id: contractId,
    sender_address: senderAddress,
    clarity_version: clarityVersion ?? null,
    epoch: epoch ?? null,
    standard: standard ?? null,
    interface_from: code.interfaceBytes === undefined ? null : ('source' as const),
    source_hash: hashToBlob(references.sourceHash),
  };
}
