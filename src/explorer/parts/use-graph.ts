// Loads the calls, callers, traits and copies of a contract from its block of the call graph.
import { graphBlockOf } from '#layout/graph-blocks.ts';
import type { ContractGraph } from '../responses.ts';
import { type Loaded, useResponse } from './use-response.ts';

/** The content is null for a contract that the graph lacks, and on a site without a graph. */
export function useGraph(contractId: string | undefined): Loaded<ContractGraph | null> {
  const path = contractId && `graph/${graphBlockOf(contractId)}.json`;
  const { content, error, retry } = useResponse<Readonly<Record<string, ContractGraph>>>(path);
  if (error?.status === 404) return { content: null };
  if (content === undefined || contractId === undefined)
    return error === undefined ? {} : { error, ...(retry && { retry }) };
  return { content: content[contractId] ?? null };
}
