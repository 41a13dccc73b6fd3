// Finds an item in the pages of its collection: its position, its neighbours, and whether it is burned.
import type { CollectionStatus, TokenPage } from './responses.ts';

export const PAGE_SIZE = 60;

export interface Neighbours {
  /** The index in the list, from 0. */
  readonly position: number;
  readonly total: number;
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** Reads a page by its offset, a multiple of {@link PAGE_SIZE}. */
type ReadPage = (offset: number) => Promise<TokenPage>;

/** Returns undefined for an unlisted item. Reads one or two pages of collections with consecutive numbers. */
export async function findNeighbours(number: string, readPage: ReadPage): Promise<Neighbours | undefined> {
  const wanted = BigInt(number);
  const { total, results } = await readPage(0);
  const first = BigInt(results[0]?.token_id ?? 0);
  let [low, high] = [0, Math.ceil(total / PAGE_SIZE) - 1];
  let page = wanted < first ? 0 : Number((wanted - first) / BigInt(PAGE_SIZE));
  while (low <= high) {
    page = Math.min(Math.max(page, low), high);
    const { results: rows } = await readPage(page * PAGE_SIZE);
    const at = rows.findIndex(({ token_id: id }) => id === number);
    if (at !== -1) {
      const position = page * PAGE_SIZE + at;
      const idAt = async (index: number) => {
        if (index < 0 || index >= total) return undefined;
        const neighbours = await readPage(Math.floor(index / PAGE_SIZE) * PAGE_SIZE);
        return neighbours.results[index % PAGE_SIZE]?.token_id;
      };
      const [previous, next] = await Promise.all([idAt(position - 1), idAt(position + 1)]);
      return { position, total, previous, next };
    }
    if (wanted < BigInt(rows[0]?.token_id ?? 0)) high = page - 1;
    else if (wanted > BigInt(rows.at(-1)?.token_id ?? 0)) low = page + 1;
    else return undefined;
    page = Math.floor((low + high) / 2);
  }
  return undefined;
}

/** Returns undefined if the status lists only the first burned items, and this one may be a later one. */
export function isBurned({ tokens, burned }: CollectionStatus, number: string): boolean | undefined {
  if (burned.includes(number)) return true;
  return tokens.burned > burned.length && BigInt(number) > BigInt(burned.at(-1) ?? 0) ? undefined : false;
}
