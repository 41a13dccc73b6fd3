// Reads the hashes of the blocks in a part of a seed, without parsing transactions. The part must have lines that this
// program wrote (seed-line.ts).
import { openArchive } from '../event-archive/open-archive.ts';
import { splitColumns } from '../event-archive/parse-line.ts';
import { readBlocks } from '../event-archive/read-blocks.ts';
import { BLOCK_RUN_PATH, readBlockRun } from '../observer/block-run.ts';

const NEWLINE = 0x0a;
/** The beginning of the JSON of a block. */
const BLOCK = /^\{"block_height":\d+,"index_block_hash":"(0x[0-9a-f]{64})"/;
const BEGINNING_BYTES = 200;

/** Returns the hashes in the order of the part. */
export async function readHashes(path: string): Promise<string[]> {
  const { chunks, close } = await openArchive(path);
  const hashes: string[] = [];
  try {
    for await (const bytes of readBlocks(chunks))
      for (let start = 0, end = 0; start < bytes.length; start = end) {
        end = bytes.indexOf(NEWLINE, start) + 1 || bytes.length;
        const { path: linePath, json } = splitColumns(bytes.subarray(start, end));
        if (linePath === BLOCK_RUN_PATH)
          for (const { indexBlockHash } of readBlockRun(json)) hashes.push(indexBlockHash);
        const [, hash] = BLOCK.exec(json.toString('latin1', 0, BEGINNING_BYTES)) ?? [];
        if (hash !== undefined && linePath !== BLOCK_RUN_PATH) hashes.push(hash);
      }
  } finally {
    close();
  }
  return hashes;
}
