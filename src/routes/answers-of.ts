// Renders the answers about some contracts from the index, as a build of it would have them, without a build.

import type { StoreReader } from '#store/index-database.ts';
import type { Page, Route } from './route.ts';
import type { RenderOptions } from './subject.ts';

export interface OwnAnswer {
  readonly route: Route;
  readonly page: Page;
}

/** Of these routes, which must be about single contracts; in the order of the contracts within a subject. */
export async function* answersOf(
  store: StoreReader,
  contractIds: readonly string[],
  routes: readonly Route[],
  options: RenderOptions,
): AsyncGenerator<OwnAnswer> {
  for (const [subject, ofSubject] of Map.groupBy(routes, (route) => route.subject)) {
    for await (const entries of subject.among?.(store, contractIds, options) ?? []) {
      for (const { stored } of entries) {
        if (stored === undefined) continue;
        const facts = subject.open(stored);
        for (const route of ofSubject) for (const page of route.render(facts, options)) yield { route, page };
      }
    }
  }
}

/** All answers of routes of one subject that spans the site. */
export async function* answersOfSite(
  store: StoreReader,
  routes: readonly [Route, ...Route[]],
  options: RenderOptions,
): AsyncGenerator<Page> {
  const [{ subject }] = routes;
  for await (const entries of (await subject.changes(store, 0, options)).pages)
    for (const { stored } of entries)
      if (stored !== undefined) for (const route of routes) yield* route.render(subject.open(stored), options);
}
