// Stages entries in two threads: this thread and a second one.
import { openThread } from '#concurrency/thread.ts';
import { type EntriesToStage, type Staged, stageEntries, stageInThread } from './stage-entries.ts';

/** The maximum number of pages that wait for the second thread. If this many wait, this thread stages the next page. */
const WAITING = 3;
/**
 * The size of the young generation of the second thread's heap. Frequent collections save 100 MB, since bodies are
 * garbage once written.
 */
const YOUNG_GENERATION_MB = 12;

/**
 * The minimum number of entries to start a second thread for. With fewer, it would save less time than its start takes.
 */
const MANY_ENTRIES = 1_000;

export function openStageThread(expectedEntries: number) {
  const module = new URL('./stage-entries.ts', import.meta.url);
  const limits = { tasks: WAITING, youngGenerationMb: YOUNG_GENERATION_MB };
  const thread =
    expectedEntries < MANY_ENTRIES
      ? undefined
      : openThread<EntriesToStage, Staged>({ module, name: stageInThread.name, ...limits });
  let waiting = 0;
  return {
    async stage(task: EntriesToStage): Promise<Staged> {
      if (thread === undefined || waiting >= WAITING) return stageEntries(task);
      waiting++;
      try {
        return await thread.run(task);
      } catch (error) {
        throw Object.assign(error as Error, (error as Error).cause);
      } finally {
        waiting--;
      }
    },
    close: async (): Promise<void> => thread?.close(),
  };
}
