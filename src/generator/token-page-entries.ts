// Renders the HTML pages of fungible tokens as entries of a build: those that changed after a revision.

import { tokenPageFile } from '#layout/token-pages.ts';
import { tokenMetadata } from '#routes/token-metadata.ts';
import type { TokenResponse } from '#routes/token-response.ts';
import { tokens } from '#routes/tokens.ts';
import { renderTokenPage } from '#site/token-page.ts';
import type { StoreReader } from '#store/index-database.ts';
import type { BuildOptions } from './build-options.ts';
import { TOKEN_PAGES } from './plan-site-hash.ts';
import type { RenderedEntry } from './stage-entries.ts';

/** Yields an entry without files for a contract that is not a token with a response. */
export async function* tokenPageEntries(
  store: StoreReader,
  sinceRevision: number,
  options: BuildOptions,
): AsyncGenerator<RenderedEntry> {
  const { pages } = await tokens.changes(store, sinceRevision, options);
  for await (const entries of pages)
    for (const { key, stored } of entries) {
      const files = stored === undefined ? [] : pagesOf(key, tokens.open(stored), options);
      yield { route: TOKEN_PAGES, key, files };
    }
}

/** The page shows the response of the token in its default language. */
function pagesOf(contractId: string, facts: ReturnType<typeof tokens.open>, options: BuildOptions) {
  for (const { status, variant, body } of tokenMetadata.render(facts, options)) {
    if (status !== undefined || variant !== undefined) continue;
    const token = JSON.parse(body) as TokenResponse;
    return [{ path: tokenPageFile(contractId), body: renderTokenPage(contractId, token, options.publicUrl) }];
  }
  return [];
}
