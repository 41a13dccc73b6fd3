// Works on several tasks at once, and gives the results in the order of the tasks.

/** At most `ahead` tasks are under way beside the one whose result is waited for. Throws what a task throws in its turn, and what their source throws behind all results. */
export async function* runAhead<Task, Result>(
  tasks: AsyncIterable<Task>,
  ahead: number,
  work: (task: Task) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  try {
    for await (const task of tasks) {
      const result = work(task);
      result.catch(() => {}); // It is awaited, and throws, in its turn.
      underWay.push(result);
      if (underWay.length > ahead) yield await (underWay.shift() as Promise<Result>);
    }
  } catch (error) {
    for (const result of underWay.splice(0)) yield await result;
    throw error;
  }
  for (const result of underWay.splice(0)) yield await result;
}
