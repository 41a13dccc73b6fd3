// Runs several tasks at once, and yields the results in task order.

/**
 * Runs at most `ahead` tasks besides the awaited one. A task's error is thrown in its turn and ends the iteration; an
 * error of the task source is thrown after all results.
 */
export async function* runAhead<Task, Result>(
  tasks: AsyncIterable<Task> | Iterable<Task>,
  ahead: number,
  work: (task: Task) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  let trouble: { readonly error: unknown } | undefined;
  async function* untilTrouble() {
    try {
      yield* tasks;
    } catch (error) {
      trouble = { error };
    }
  }
  for await (const task of untilTrouble()) {
    const result = work(task);
    result.catch(() => {}); // Its error is thrown in its turn.
    underWay.push(result);
    if (underWay.length > ahead) yield await (underWay.shift() as Promise<Result>);
  }
  for (const result of underWay) yield await result;
  if (trouble !== undefined) throw trouble.error;
}
