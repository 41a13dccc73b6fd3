// Reads a file of contract ids, one a line; `#` begins a comment.
import { readFileSync } from 'node:fs';
import { stop } from '#model/failure.ts';
import { isContractId } from '#model/principal.ts';

/** Each id once, in the order of the file. Throws FailureError `usage`, which names the file and the line. */
export function readContractList(path: string): string[] {
  const ids = new Set<string>();
  for (const [index, line] of readText(path)
    .split(/\r\n|\n|\r/)
    .entries()) {
    const id = line.replace(/#.*$/s, '').trim();
    if (id === '') continue;
    if (!isContractId(id)) {
      const shown = JSON.stringify(id.length > 80 ? `${id.slice(0, 80)}…` : id);
      throw stop(
        'usage',
        `${path}:${index + 1}: ${shown} is no contract id, which is <contract address>.<contract name>.`,
      );
    }
    ids.add(id);
  }
  return [...ids];
}

function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw stop('usage', `The list of contracts ${path} cannot be read: ${(error as Error).message}.`, error);
  }
}
