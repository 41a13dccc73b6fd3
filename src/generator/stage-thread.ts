// Stages entries here and in one more thread, whichever is free.
import { openThread } from '#concurrency/thread.ts';
import { BUFFERED_BYTES } from '#routes/subject.ts';
import { type EntriesToStage, type Staged, stageEntries, stageInThread } from './stage-entries.ts';

/** Pages of entries that wait for the thread while this one stages another, so that neither waits. */
const WAITING = 3;
/** Bodies are garbage as soon as they are written: collecting them often costs little time and saves 100 MB. */
const YOUNG_GENERATION_MB = 12;

/** Fewer entries are staged here sooner than a thread is there. */
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
      const bytes = task.entries.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
      // More than is held at once otherwise would be copied into the thread, and wait there.
      if (thread === undefined || waiting >= WAITING || bytes > BUFFERED_BYTES) return stageEntries(task);
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
