// Reads a file of contract ids, one per line. `#` begins a comment.
import { text } from 'node:stream/consumers';
import { readRegular, UnreadableError } from '#files/open-regular.ts';
import { stop } from '#model/failure.ts';
import { isContractId } from '#model/principal.ts';
import { adviseOnUrl } from '#text/command-line.ts';
import { quote } from '#text/quote.ts';

/** Enough for all contracts of mainnet, which have 7 MB. */
const MAX_LIST_BYTES = 64_000_000;

/**
 * Returns each id once, in the order of the file; `-` is standard input. Throws FailureError `usage` with the file and
 * the line.
 */
export async function readContractList(path: string): Promise<string[]> {
  const name = path === '-' ? 'standard input' : path;
  const ids = new Set<string>();
  for (const [index, line] of (await readText(path, name)).split(/\r\n|\n|\r/).entries()) {
    const id = line.replace(/#.*$/s, '').trim();
    if (id === '') continue;
    if (!isContractId(id))
      throw stop(
        'usage',
        `${name}:${index + 1}: ${quote(id)} is not a contract id. Write <contract address>.<contract name>.`,
      );
    ids.add(id);
  }
  return [...ids];
}

async function readText(path: string, name: string): Promise<string> {
  try {
    return path === '-' ? await text(process.stdin) : readRegular(path, MAX_LIST_BYTES).toString();
  } catch (error) {
    if (error instanceof UnreadableError) throw stop('usage', error.message);
    const problem = `The list of contracts ${name} cannot be read: ${(error as Error).message}.`;
    throw stop('usage', adviseOnUrl(path) ?? problem, error);
  }
}
