// An archive with every name of mainnet, each with the shortest possible source.
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { blockOfDeploys, unsignedDeploy } from '../../scripts/unsigned-deploy.ts';

const PER_BLOCK = 1_000;

/** Ends the process with its usage if the folder has no names. */
export function readAllNames(folder: string | undefined, usage: string): string[] {
  const path = join(folder ?? '', 'mainnet', 'principals.txt.gz');
  if (folder === undefined || !existsSync(path)) {
    console.error(`usage: node test/real-data/${usage}, a folder with mainnet/ in it`);
    process.exit(1);
  }
  return gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n');
}

/** Returns the height of the next block. */
export async function writeNamesArchive(path: string, ids: readonly string[]): Promise<number> {
  const archive = createWriteStream(path);
  let height = 0;
  for (; height * PER_BLOCK < ids.length; height++) {
    const deploys = ids.slice(height * PER_BLOCK, (height + 1) * PER_BLOCK);
    archive.write(
      blockOfDeploys(
        height,
        deploys.map((id, index) => unsignedDeploy(id, '1', index, null)),
      ),
    );
  }
  archive.end();
  await once(archive, 'finish');
  return height;
}
