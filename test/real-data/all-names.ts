// Writes an archive that deploys a contract for every contract name of mainnet, each with the shortest possible source.
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { deployJson, lineAt } from '../support/transactions.ts';

const PER_BLOCK = 1_000;
/** The path of the file with mainnet's names in the folder of real data. */
export const NAMES_FILE = 'mainnet/principals.txt.gz';

/** Writes the archive. Returns the contract ids, and the height of the next block. */
export async function writeNamesArchive(path: string, folder: string): Promise<{ ids: string[]; height: number }> {
  const ids = gunzipSync(readFileSync(join(folder, NAMES_FILE)))
    .toString('utf8')
    .trim()
    .split('\n');
  const archive = createWriteStream(path);
  let height = 0;
  for (; height * PER_BLOCK < ids.length; height++) {
    const deploys = ids.slice(height * PER_BLOCK, (height + 1) * PER_BLOCK);
    const unsigned = deploys.map((id) => deployJson(id, '1'));
    archive.write(lineAt(height, unsigned));
  }
  archive.end();
  await once(archive, 'finish');
  return { ids, height };
}
