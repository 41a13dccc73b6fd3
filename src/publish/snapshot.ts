// Reads and writes the list of published files in the storage itself, for a machine that has no record of it: parts
// named by the hash of their bytes, and one object that names them. Each publish adds a part, of what it changed.
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { runAhead } from '#concurrency/run-ahead.ts';
import { stop } from '#model/failure.ts';
import { partKey, readOwn, STATE_FOLDER, snapshotKey, writeOwn } from './own-objects.ts';
import type { KnownFile } from './published.ts';
import type { Target } from './target.ts';

const LINES_PER_PART = 100_000;
const PARTS_AHEAD = 4;
const [GONE, UNKNOWN] = ['-', '?'];
const BETWEEN = '  ';

interface SnapshotContent {
  /** Chain of the site; undefined if its index did not know. */
  readonly chainId: number | undefined;
  /** Keys; later ones say what became of files of earlier ones. */
  readonly parts: readonly string[];
}

export interface Snapshot extends SnapshotContent {
  /** For a shard that an earlier version published, the generation of the site to which it adds; empty otherwise. */
  readonly base: string;
  /** The hash of the object, and so of the state. */
  readonly generation: string;
}

/** Undefined where nothing was published. Throws FailureError, as all of these do. */
export function readSnapshot(target: Target, folder = STATE_FOLDER): Promise<Snapshot | undefined> {
  return readOwn(target, snapshotKey(folder), (body) => {
    const { chainId, base, parts } = JSON.parse(body.toString()) as Partial<Snapshot>;
    if (base === undefined || !Array.isArray(parts)) return undefined;
    return { chainId, base, parts, generation: hash('sha256', body, 'hex') };
  });
}

/** After its parts: this object makes them count. Returns its generation. */
export async function writeSnapshot(target: Target, { chainId, parts }: SnapshotContent): Promise<string> {
  const body = Buffer.from(JSON.stringify({ chainId, base: '', parts }));
  await writeOwn(target, snapshotKey(), body);
  return hash('sha256', body, 'hex');
}

/** In the order in which they hold. */
export async function* readParts(target: Target, parts: readonly string[]): AsyncGenerator<KnownFile[]> {
  yield* runAhead(parts, PARTS_AHEAD, async (key) => {
    const body = await target.read(key);
    if (body === undefined || !key.endsWith(`-${hash('sha256', body, 'hex')}.zst`))
      throw stop(
        'publish-incomplete',
        `${target.name} has no ${key} as it was written; another publisher may have been at work. Publish again; if ` +
          'that does not help, remove published.json beside it, and publish with --adopt.',
      );
    const text = (await promisify(zstdDecompress)(body)).toString();
    return text.trimEnd().split('\n').map(parseLine);
  });
}

export async function writeParts(target: Target, files: AsyncIterable<readonly KnownFile[]>): Promise<string[]> {
  const parts: string[] = [];
  let lines: string[] = [];
  const writePart = async () => {
    const body = await promisify(zstdCompress)(lines.join(''));
    const key = partKey(hash('sha256', body, 'hex'));
    await writeOwn(target, key, body);
    parts.push(key);
    lines = [];
  };
  for await (const some of files) {
    lines.push(...some.map(formatLine));
    if (lines.length >= LINES_PER_PART) await writePart();
  }
  if (lines.length > 0) await writePart();
  return parts;
}

function formatLine({ path, sha256 }: KnownFile): string {
  return `${sha256 === null ? GONE : (sha256 ?? UNKNOWN)}${BETWEEN}${path}\n`;
}

function parseLine(line: string): KnownFile {
  const end = line.indexOf(BETWEEN);
  const said = line.slice(0, end);
  return { path: line.slice(end + BETWEEN.length), sha256: said === GONE ? null : said === UNKNOWN ? undefined : said };
}
