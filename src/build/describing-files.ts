// The files that describe a build to people and programs: the landing page, the description of the API and the page that draws it.
import { docsFiles } from '#describe/docs-page.ts';
import { renderLandingPage } from '#describe/landing-page.ts';
import { renderOpenApi } from '#describe/openapi.ts';
import type { Route } from '#routes/route.ts';
import { readInfo, type StoreReader } from '#store/index-database.ts';
import { readSummary } from '#store/summary.ts';

export async function describingFiles(store: StoreReader, routes: readonly Route[], publicUrl: string) {
  const { chainId } = await readInfo(store);
  return [
    { path: 'index.html', body: renderLandingPage({ ...(await readSummary(store)), chainId, routes }) },
    { path: 'openapi.json', body: renderOpenApi({ routes, publicUrl }) },
    ...docsFiles(),
  ];
}
