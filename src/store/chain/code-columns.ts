// Columns of the table deploy_code, to and from packed code.
import type { PackedCode } from '#model/packed-code.ts';
import type { DeployCodeTable } from '../schema/chain.ts';

export const CODE_COLUMNS = ['deploy_code.interface_bytes', 'deploy_code.source_bytes', 'deploy_code.code'] as const;

export function codeColumns({ data, interfaceBytes, sourceBytes }: PackedCode): Omit<DeployCodeTable, 'deploy_id'> {
  return { interface_bytes: interfaceBytes ?? null, source_bytes: sourceBytes, code: data as Buffer };
}

export function toPackedCode(row: Omit<DeployCodeTable, 'deploy_id'>): PackedCode {
  return { data: row.code, interfaceBytes: row.interface_bytes ?? undefined, sourceBytes: row.source_bytes };
}
