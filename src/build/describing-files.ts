// The files that describe a build to people and programs: the landing page, the description of the API and the page that draws it.
import { renderLandingPage } from '#describe/landing-page.ts';
import type { Route } from '#routes/route.ts';
import { readInfo, type StoreReader } from '#store/index-database.ts';
import { readSummary } from '#store/summary.ts';
import type { SiteFile } from './site-files.ts';

/** Tells how far the chain is known, so another one with each change of the index. */
export async function landingPage(store: StoreReader, routes: readonly Route[]): Promise<SiteFile> {
  const { chainId } = await readInfo(store);
  return { path: 'index.html', body: renderLandingPage({ ...(await readSummary(store)), chainId, routes }) };
}

/** Those that the program and its options decide alone. Loaded when they are needed: a build of what changed in the index does not. */
export async function apiDescription(routes: readonly Route[], publicUrl: string) {
  const [{ docsFiles }, { renderOpenApi }] = await Promise.all([
    import('#describe/docs-page.ts'),
    import('#describe/openapi.ts'),
  ]);
  return [{ path: 'openapi.json', body: renderOpenApi({ routes, publicUrl }) }, ...docsFiles()];
}
