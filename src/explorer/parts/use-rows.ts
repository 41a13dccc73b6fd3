// Loads the pages of a list of the call graph: the first page at once, the others on request.
import { useEffect, useState } from 'preact/hooks';
import type { ContractRow } from '../group-by-deployer.ts';
import type { ContractGraph } from '../responses.ts';
import { readJson, type SiteError, toSiteError } from '../site.ts';
import { useStored } from '../visits.ts';

export type List = ContractGraph['called_by'];

interface ReadRows {
  readonly rows: readonly ContractRow[];
  readonly pages: number;
}

/** `path`: of the pages, without the number. */
export function useRows(list: List | undefined, path: string) {
  const first = list?.first ?? [];
  // Stored, so that Back shows all that was read.
  const [state, setState] = useStored<ReadRows | undefined>(path, undefined);
  const [error, setError] = useState<SiteError>();
  const [isReading, setReading] = useState(false);
  const read = async (isAll: boolean) => {
    setReading(true);
    setError(undefined);
    let { rows, pages } = state ?? { rows: [], pages: 0 };
    try {
      do {
        rows = [...rows, ...(await readJson<ContractRow[]>(`${path}/${pages}`))];
        pages++;
        setState({ rows, pages });
      } while (isAll && pages < (list?.pages ?? 0));
    } catch (reason) {
      setError(toSiteError(reason));
    }
    setReading(false);
  };
  useEffect(() => {
    if (state === undefined && list !== undefined && list.count > first.length) void read(false);
  }, [path, list?.count]);
  return { rows: state?.rows ?? first, isReading, error, read };
}
