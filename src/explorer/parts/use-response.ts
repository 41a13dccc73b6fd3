// Loads files of the site within a component: their content, an error, or neither while they load.
import { useEffect, useState } from 'preact/hooks';
import { graphBlockOf } from '#layout/data-files.ts';
import type { CollectionStatus, ContractGraph } from '../responses.ts';
import { lastContent, readJson, type SiteError, toSiteError } from '../site.ts';

/** Content and an error are both undefined during loading, and both set if only a part could be loaded. */
export interface Loaded<Content> {
  readonly content?: Content | undefined;
  readonly error?: SiteError | undefined;
  readonly retry?: () => void;
}

/**
 * Runs work for a key, and again when the reader retries. An undefined key runs nothing.
 * `show` receives the content loaded so far, and returns false once the result is no longer wanted.
 */
export function useTask<Content>(
  key: string | undefined,
  run: (show: (content: Content) => boolean) => Promise<unknown>,
): Loaded<Content> {
  const [state, setState] = useState<Loaded<Content> & { readonly key?: string | undefined }>({});
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (key === undefined) return;
    let isCurrent = true;
    const show = (content: Content) => {
      if (isCurrent) setState({ content, key });
      return isCurrent;
    };
    run(show).catch((error: unknown) => {
      const failed = { error: toSiteError(error), retry: () => setTries(tries + 1), key };
      if (isCurrent) setState((last) => ({ ...failed, content: last.key === key ? last.content : undefined }));
    });
    return () => {
      isCurrent = false;
    };
  }, [key, tries]);
  return state.key === key ? state : {};
}

/** Loads a JSON file, and again when the reader returns to the window. An undefined path loads nothing. */
export function useResponse<Content>(path: string | undefined): Loaded<Content> {
  const [returns, setReturns] = useState(0);
  useEffect(() => {
    const onChange = () => document.visibilityState === 'visible' && setReturns((count) => count + 1);
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  const loaded = useTask<Content>(path && `${returns} ${path}`, async (show) => show(await readJson(path ?? '')));
  // The last content is shown at once, and stays while it is requested again or the site cannot be reached.
  const last = path === undefined ? undefined : lastContent<Content>(path);
  return last === undefined || (loaded.content !== undefined && loaded.error === undefined)
    ? loaded
    : { content: last };
}

/** Loads a response in a locale; empty for the default one. The content stays while another locale loads. */
export function useLocalized<Content>(path: string, locale: string): Loaded<Content> {
  const plain = useResponse<Content>(path);
  const localized = useResponse<Content>(locale === '' ? undefined : `variants/locale/${locale}/${path}`);
  return localized.content === undefined && localized.error === undefined ? plain : localized;
}

/** Loads the status of a collection. There is no content for the id of a fungible token, whose status has other members. */
export function useCollectionStatus(id: string): Loaded<CollectionStatus> {
  const { content, ...rest } = useResponse<Partial<CollectionStatus>>(`metadata/v1/status/${id}`);
  return content?.tokens === undefined ? rest : { ...rest, content: content as CollectionStatus };
}

/** Loads a contract's part of the call graph. The content is null for a contract that the graph lacks, and on a site without a graph. */
export function useGraph(contractId: string | undefined): Loaded<ContractGraph | null> {
  const path = contractId && `graph/${graphBlockOf(contractId)}.json`;
  const { content, error, retry } = useResponse<Readonly<Record<string, ContractGraph>>>(path);
  if (error?.status === 404) return { content: null };
  if (content === undefined || contractId === undefined)
    return error === undefined ? {} : { error, ...(retry && { retry }) };
  return { content: content[contractId] ?? null };
}
