// Loads the status of a collection.
import type { CollectionStatus } from '../responses.ts';
import { type Loaded, useResponse } from './use-response.ts';

/** There is no content for the id of a fungible token, whose status has other members. */
export function useCollectionStatus(id: string): Loaded<CollectionStatus> {
  const { content, ...rest } = useResponse<Partial<CollectionStatus>>(`metadata/v1/status/${id}`);
  return content?.tokens === undefined ? rest : { ...rest, content: content as CollectionStatus };
}
