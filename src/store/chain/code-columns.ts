// Converts between rows of the table deploy_code and packed code.
import type { PackedCode } from '#model/packed-code.ts';
import { rowsWith } from '#sqlite/lists.ts';
import type { StoreReader } from '../index-database.ts';
import type { Schema } from '../schema/schema.ts';

type CodeColumns = Omit<Schema['deploy_code'], 'deploy_id'>;

export const CODE_COLUMNS = ['deploy_code.interface_bytes', 'deploy_code.source_bytes', 'deploy_code.code'] as const;

export function codeColumns({ data, interfaceBytes, sourceBytes }: PackedCode): CodeColumns {
  return { interface_bytes: interfaceBytes ?? null, source_bytes: sourceBytes, code: data as Buffer };
}

export function toPackedCode(row: CodeColumns): PackedCode {
  return { data: row.code, interfaceBytes: row.interface_bytes ?? undefined, sourceBytes: row.source_bytes };
}

export async function readCode(store: StoreReader, deployIds: readonly number[]): Promise<Map<number, PackedCode>> {
  const rows = await rowsWith(store, 'deploy_code', 'deploy_id', deployIds);
  return new Map(rows.map((row) => [row.deploy_id, toPackedCode(row)]));
}
