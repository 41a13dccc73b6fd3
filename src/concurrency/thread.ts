// Runs an exported function of a module in worker threads.
import { Tinypool } from 'tinypool';

interface ThreadOptions {
  /** The URL of the module, and the name of the exported function. */
  readonly module: string | URL;
  readonly name: string;
  readonly threads?: number;
  /** The number of tasks that a thread accepts in advance. The thread works on them in turn. */
  readonly tasks?: number;
  /** The memory of a thread for new objects, in MB. A small value saves memory and costs little time. */
  readonly youngGenerationMb?: number;
}

export type Thread<Task, Result> = ReturnType<typeof openThread<Task, Result>>;

export function openThread<Task, Result>({ module, name, threads = 1, tasks = 1, youngGenerationMb }: ThreadOptions) {
  const pool = new Tinypool({
    filename: `${module}`,
    name,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: tasks,
    ...(youngGenerationMb === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb } }),
  });
  let settled: Promise<void> = Promise.resolve();
  return {
    /** Runs a task. `transferred`: buffers of the task that are moved to the thread, not copied. */
    run(task: Task, transferred: readonly ArrayBuffer[] = []): Promise<Result> {
      const result: Promise<Result> = pool.run(task, { transferList: [...transferred] });
      settled = Promise.allSettled([settled, result]).then(() => {});
      return result;
    },
    /** Waits for all tasks. To end a thread that compresses can end the process: Node asserts that zlib has started. */
    async close(): Promise<void> {
      await settled;
      await pool.destroy();
    },
  };
}

/** Wraps a result so that `buffers` are moved to the receiving thread, not copied. */
export function transferResult<Result>(result: Result, buffers: ArrayBuffer[]): Result {
  const moved = { [Tinypool.transferableSymbol]: buffers, [Tinypool.valueSymbol]: result };
  return Tinypool.move(moved as never) as Result;
}
