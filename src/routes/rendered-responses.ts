// Renders answers from the index, about some contracts or all, as a build of it would have them, without a build.

import type { StoreReader } from '#store/index-database.ts';
import type { Page, Route } from './route.ts';
import type { RenderOptions } from './subject.ts';

/** Of these routes, in the order of contracts within a subject. Those of the site have no contracts to be asked for. */
export async function* renderedResponses(
  store: StoreReader,
  contractIds: readonly string[] | 'all',
  routes: readonly Route[],
  options: RenderOptions,
): AsyncGenerator<{ route: Route; page: Page }> {
  for (const [subject, ofSubject] of Map.groupBy(routes, (route) => route.subject)) {
    const pages =
      contractIds === 'all'
        ? (await subject.changes(store, 0, options)).pages
        : subject.among?.(store, contractIds, options);
    for await (const entries of pages ?? []) {
      for (const { stored } of entries) {
        if (stored === undefined) continue;
        const facts = subject.open(stored);
        for (const route of ofSubject) for (const page of route.render(facts, options)) yield { route, page };
      }
    }
  }
}
