// Checks the folders that a command writes, before it does any work.
import { findObstacle } from '#files/folders.ts';
import { type FailureCode, stop } from '#model/failure.ts';

/**
 * Throws a FailureError if `folder` cannot be created or written. `flag` and `path` are the option and its value, which
 * may be a path in the folder.
 */
export function checkWritable(flag: string, path: string, folder = path, code: FailureCode = 'out-unwritable'): void {
  const obstacle = findObstacle(folder);
  if (obstacle !== undefined)
    throw stop(code, `${flag} is ${path}, but ${obstacle.problem}. Nothing was written. ${obstacle.remedy}`);
}
