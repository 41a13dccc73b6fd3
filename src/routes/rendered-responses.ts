// Renders responses directly from the index, identical to the files that a build would write.

import type { StoreReader } from '#store/index-database.ts';
import type { Page, Route } from './route.ts';
import type { RenderOptions } from './subject.ts';

/** Yields the pages of each subject and contract. If contracts are listed, skips routes about the whole site. */
export async function* renderedResponses(
  store: StoreReader,
  contractIds: readonly string[] | 'all',
  routes: readonly Route[],
  options: RenderOptions,
): AsyncGenerator<{ route: Route; page: Page }> {
  for (const [subject, subjectRoutes] of Map.groupBy(routes, (route) => route.subject)) {
    const pages =
      contractIds === 'all'
        ? (await subject.changes(store, 0, options)).pages
        : subject.among?.(store, contractIds, options);
    for await (const entries of pages ?? []) {
      for (const { stored } of entries) {
        if (stored === undefined) continue;
        const facts = subject.open(stored);
        for (const route of subjectRoutes) for (const page of route.render(facts, options)) yield { route, page };
      }
    }
  }
}
