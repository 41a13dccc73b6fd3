// Stages entries here and in one more thread. Each has routes of its own, and so folders of its own: in one folder, they would wait for each other.
import { Tinypool } from 'tinypool';
import { type EntriesToStage, stageEntries } from './stage-entries.ts';
import type { Staged } from './stage-files.ts';

/** Pages of entries that wait in the thread while this one is at work. */
const WAITING = 8;
/** Bodies are garbage as soon as they are written: collecting them often costs little time and saves 100 MB. */
const YOUNG_GENERATION_MB = 12;

export class StageThread {
  #pool: Tinypool | undefined;

  /** The first entries are staged here: most builds have no more. */
  stage(task: EntriesToStage, isFirst: boolean): Promise<Staged[]> {
    if (isFirst) return Promise.all([this.#stageHere(task)]);
    const [there, here] = [0, 1].map((rest) => ({ ...task, routes: task.routes.filter((_, at) => at % 2 === rest) }));
    return Promise.all([this.#stageThere(there as EntriesToStage), this.#stageHere(here as EntriesToStage)]);
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }

  async #stageHere(task: EntriesToStage): Promise<Staged> {
    return orThrow(stageEntries(task));
  }

  async #stageThere(task: EntriesToStage): Promise<Staged> {
    this.#pool ??= new Tinypool({
      filename: new URL('./stage-entries.ts', import.meta.url).href,
      name: stageEntries.name,
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: WAITING,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    return orThrow(await this.#pool.run(task));
  }
}

function orThrow(staged: ReturnType<typeof stageEntries>): Staged {
  if ('trouble' in staged) throw Object.assign(new Error(staged.trouble.message), staged.trouble);
  return staged;
}
