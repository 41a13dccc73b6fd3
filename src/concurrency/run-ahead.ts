// Runs several tasks in parallel, and yields their results in the order of the tasks.

/**
 * Runs at most `ahead` tasks in addition to the awaited task. A failed task throws its error in place of its result,
 * which ends the iteration. If `tasks` fails, its error is thrown after all results. An iteration that ends early waits
 * for its running tasks, so that none of them still writes when the caller starts again.
 */
export async function* runAhead<Task, Result>(
  tasks: AsyncIterable<Task> | Iterable<Task>,
  ahead: number,
  work: (task: Task) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  let sourceError: { readonly error: unknown } | undefined;
  async function* untilError() {
    try {
      yield* tasks;
    } catch (error) {
      sourceError = { error };
    }
  }
  try {
    for await (const task of untilError()) {
      const result = work(task);
      result.catch(() => {}); // Avoids an unhandled rejection: the error is thrown when its result is awaited.
      running.push(result);
      if (running.length > ahead) yield await (running.shift() as Promise<Result>);
    }
    for (let result = running.shift(); result !== undefined; result = running.shift()) yield await result;
  } finally {
    await Promise.allSettled(running);
  }
  if (sourceError !== undefined) throw sourceError.error;
}
