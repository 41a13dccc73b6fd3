// Renders the files of an output folder in memory. An update renders only changed entities, like an incremental build;
// {@link renderFull} renders all.

import { filesOfCopy } from '#layout/image-files.ts';
import { ROUTES } from '#routes/all.ts';
import { pageFile, type Route } from '#routes/route.ts';
import { DOCUMENTS } from '#site/documents.ts';
import type { Store, StoreReader } from '#store/index-database.ts';
import { lastRevision } from '#store/ledger/ledger.ts';
import { changedCopies, readImageFiles } from '#store/tokens/images.ts';

const OPTIONS = { publicUrl: '', name: 'stxpress' };
/** The tokens whose images are in the site. Other tokens use the same images. */
const STANDARDS = ['sip-009'] as const;

export class RenderedSite {
  /** The bodies of an entry's files by path. An entry is, for example, a route's response for one entity. */
  readonly #entries = new Map<string, ReadonlyMap<string, string>>();
  readonly #routes: ReadonlyMap<Route['subject'], readonly Route[]>;
  #revision = 0;

  /** Renders only these routes, by default all. */
  constructor(routes: readonly Route[] = ROUTES) {
    this.#routes = Map.groupBy(routes, (route) => route.subject);
  }

  /** Renders the entities that changed since the last update. */
  async update(store: Store): Promise<void> {
    await store.transaction().execute(async (reader) => {
      const revision = await lastRevision(reader);
      if (revision === this.#revision) return;
      await this.#render(reader, this.#revision);
      this.#revision = revision;
    });
  }

  async #render(reader: StoreReader, since: number): Promise<void> {
    for (const [subject, routes] of this.#routes) {
      const { pages, isComplete } = await subject.changes(reader, since, OPTIONS);
      const ids = routes.map(({ id }) => `${id} `);
      if (isComplete)
        for (const entry of this.#entries.keys())
          if (ids.some((id) => entry.startsWith(id))) this.#set(entry, new Map());
      for await (const page of pages) {
        const [first, last] = [page[0], page.at(-1)];
        const isRemoved = (key: string) => key > (first?.after ?? '') && key <= (last?.key ?? '');
        if (first?.after !== undefined)
          for (const entry of this.#entries.keys())
            if (ids.some((id) => entry.startsWith(id) && isRemoved(entry.slice(id.length))))
              this.#set(entry, new Map());
        for (const { key, stored } of page) {
          const facts = stored === undefined ? undefined : subject.open(stored);
          for (const route of routes) {
            const files = facts === undefined ? [] : route.render(facts, OPTIONS);
            this.#set(`${route.id} ${key}`, new Map(Array.from(files, (file) => [pageFile(file), file.body])));
          }
        }
      }
    }
    for (const { sha256, extension } of await changedCopies(reader, since, STANDARDS)) {
      const names = extension === undefined ? [] : filesOfCopy({ sha256, extension });
      const files = await readImageFiles(reader, names);
      this.#set(`image ${sha256}`, new Map(names.map((name) => [`images/${name}`, files.get(name)?.sha256 ?? ''])));
    }
    const facts = { store: reader, routes: ROUTES, ...OPTIONS };
    for (const { file, hasExamples, render } of DOCUMENTS)
      if (hasExamples) this.#set(file, new Map([[file, String(await render(facts))]]));
  }

  #set(entry: string, files: ReadonlyMap<string, string>): void {
    if (files.size === 0) this.#entries.delete(entry);
    else this.#entries.set(entry, files);
  }

  get files(): ReadonlyMap<string, string> {
    return new Map([...this.#entries.values()].flatMap((files) => [...files]));
  }
}

export async function renderFull(store: Store, routes?: readonly Route[]): Promise<ReadonlyMap<string, string>> {
  const site = new RenderedSite(routes);
  await site.update(store);
  return site.files;
}

/** Describes the first path with different bodies, and both bodies; undefined if all bodies are equal. */
export function firstDifference(
  incremental: ReadonlyMap<string, string>,
  full: ReadonlyMap<string, string>,
): string | undefined {
  for (const path of new Set([...full.keys(), ...incremental.keys()])) {
    const [actual, expected] = [incremental.get(path), full.get(path)];
    if (actual !== expected) return `${path}\n  is    ${actual}\n  not   ${expected}`;
  }
  return undefined;
}
