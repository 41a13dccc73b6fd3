// Renders entries of a subject for its routes and stages their files, in whatever thread.

import { ROUTES } from '#routes/all.ts';
import { isAffected, type Page, pageFile } from '#routes/route.ts';
import type { RenderOptions, StoredEntry } from '#routes/subject.ts';
import type { RecordedFile } from './record/build-record.ts';
import { nothingStaged, type Staged, type StagedFile, type StageTarget, stageFiles } from './stage-files.ts';

export interface EntriesToStage {
  /** Ids of the routes, which have one subject. */
  readonly routes: readonly string[];
  readonly entries: readonly StoredEntry[];
  readonly recorded: readonly RecordedFile[];
  readonly target: StageTarget;
  readonly options: RenderOptions;
}

/** An error of the file system as plain data: a thread hands over only the message of an error. */
interface StageTrouble {
  readonly message: string;
  readonly code: unknown;
  readonly path: unknown;
}

export function stageEntries(task: EntriesToStage): Staged | { readonly trouble: StageTrouble } {
  try {
    return stage(task);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return { trouble: { message: error.message, code: error.code, path: 'path' in error ? error.path : undefined } };
  }
}

function stage({ routes, entries, recorded, target, options }: EntriesToStage): Staged {
  const staged = nothingStaged();
  const ofRoutes = ROUTES.filter((route) => routes.includes(route.id));
  const before = Map.groupBy(recorded, (file) => `${file.route}\0${file.key}`);
  for (const entry of entries) {
    const { key, stored } = entry;
    const facts = stored === undefined ? undefined : ofRoutes[0]?.subject.open(stored);
    for (const route of ofRoutes) {
      if (!isAffected(route, entry)) continue;
      const files = facts === undefined ? [] : filesOf(route.render(facts, options));
      const recordedOf = before.get(`${route.id}\0${key}`) ?? [];
      if (!stageFiles(staged, target, { route: route.id, key, files }, recordedOf)) return staged;
    }
  }
  return staged;
}

/** One at a time: the pages of one entry may have megabytes each. */
function* filesOf(pages: Iterable<Page>): Generator<StagedFile> {
  for (const page of pages) yield { path: pageFile(page), body: page.body };
}
