// The state of a storage, kept in the storage itself, for a machine that has none of its own: lines as sha256sum writes
// them, in parts, and one object that names the parts.
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { PublishedFile } from '#store/published.ts';
import type { Place } from './place.ts';

const LINES_PER_PART = 100_000;
/** Two spaces stand between the hash and the path. */
const PATH_AT = 66;

export interface Snapshot {
  readonly generation: string;
  readonly parts: number;
  /** Of a shard: the generation of the site to which it adds; empty where there was none. */
  readonly base: string;
}

/** Undefined where nothing was published. */
export async function readSnapshot(place: Place): Promise<Snapshot | undefined | Failure> {
  const { target, pace } = place;
  const key = stateKey(place);
  const body = await pace.run(() => target.read(key));
  if (body === undefined || isFailure(body)) return body;
  try {
    const { generation, parts, base = '' } = JSON.parse(body.toString()) as Partial<Snapshot>;
    if (generation !== undefined && parts !== undefined) return { generation, parts, base };
  } catch {
    // As below.
  }
  return fail('target-foreign', `${target.name} has a ${key} that stxpress did not write. Remove it.`);
}

export async function* readSnapshotFiles(
  place: Place,
  { generation, parts }: Snapshot,
): AsyncGenerator<PublishedFile[] | Failure> {
  const { target, pace } = place;
  for (let part = 0; part < parts; part++) {
    const key = partKey(place, generation, part);
    const body = await pace.run(() => target.read(key));
    if (isFailure(body)) yield body;
    else if (body === undefined) yield fail('target-foreign', `${target.name} lacks ${key}.`);
    else {
      const lines = (await promisify(zstdDecompress)(body)).toString().trimEnd().split('\n');
      yield lines.map((line) => ({ path: line.slice(PATH_AT), sha256: line.slice(0, PATH_AT - 2) }));
    }
  }
}

/** The parts first: the object that names them makes them count. */
export async function writeSnapshot(
  place: Place,
  { generation, base }: Omit<Snapshot, 'parts'>,
  files: AsyncIterable<readonly { readonly path: string; readonly sha256: Buffer }[]>,
): Promise<Failure | undefined> {
  const { target, pace } = place;
  const write = async (key: string, type: string, body: Uint8Array) => {
    const headers = { 'Content-Type': type, 'Cache-Control': 'no-store' };
    const written = await pace.run(() => target.write({ key, body, headers }));
    return isFailure(written) ? written : undefined;
  };
  let parts = 0;
  let lines: string[] = [];
  const writePart = async () => {
    const body = await promisify(zstdCompress)(lines.join(''));
    lines = [];
    return write(partKey(place, generation, parts++), 'application/zstd', body);
  };
  for await (const some of files) {
    lines.push(...some.map(({ path, sha256 }) => `${sha256.toString('hex')}  ${path}\n`));
    const failure = lines.length >= LINES_PER_PART ? await writePart() : undefined;
    if (failure !== undefined) return failure;
  }
  const failure = lines.length > 0 ? await writePart() : undefined;
  return (
    failure ?? write(stateKey(place), 'application/json', Buffer.from(JSON.stringify({ generation, parts, base })))
  );
}

/** What names the parts. */
export function stateKey({ folder }: Place): string {
  return `${folder}published.json`;
}

function partKey({ folder }: Place, generation: string, part: number): string {
  return `${folder}published-${generation}-${part}.zst`;
}
