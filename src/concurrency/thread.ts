// Runs a module's function in threads of its own: a task goes in, the result of the function comes out.
import { Tinypool } from 'tinypool';

interface ThreadOptions {
  /** The module, a URL, and the name of the function that it exports. */
  readonly module: string | URL;
  readonly name: string;
  readonly threads?: number;
  /** Tasks that a thread has at once: those that wait for it. */
  readonly tasks?: number;
  /** Space for what is garbage soon: collecting it often costs little time and saves memory. */
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
  return {
    /** `handedOver`: memory of the task that is not copied. */
    run: (task: Task, handedOver: readonly ArrayBuffer[] = []): Promise<Result> =>
      pool.run(task, { transferList: [...handedOver] }),
    close: (): Promise<void> => pool.destroy(),
  };
}

/** For a result of the function: its memory in `buffers` is given away, and not copied. */
export function handOver<Result>(result: Result, buffers: ArrayBuffer[]): Result {
  const moved = { [Tinypool.transferableSymbol]: buffers, [Tinypool.valueSymbol]: result };
  return Tinypool.move(moved as never) as Result;
}
