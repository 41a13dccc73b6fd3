// Stages entries in this thread and in a second thread.
import { openThread } from '#concurrency/thread.ts';
import { BUFFERED_BYTES } from '#routes/subject.ts';
import { type EntriesToStage, type Staged, stageEntries, stageInThread } from './stage-entries.ts';

/** The maximum number of pages that wait for the second thread, while this thread stages another page. */
const WAITING = 3;
/** The size of the young generation. Bodies are garbage once written: collecting them often saves 100 MB. */
const YOUNG_GENERATION_MB = 12;

/** The number of entries below which starting a second thread takes longer than it saves. */
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
      // A larger page is staged here, since it would be copied into the second thread and wait there.
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
