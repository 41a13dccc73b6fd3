// Reads files of a build, in whatever thread, and checks that they are as it wrote them.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FilesToRead {
  /** The output folder of the build. */
  readonly out: string;
  readonly files: readonly { readonly path: string /** Hex. */; readonly sha256: string }[];
}

/** In the order of the files; undefined for one that is not as it was written. */
export type ReadFiles = (Uint8Array | undefined)[];

export function readFiles({ out, files }: FilesToRead): ReadFiles {
  return files.map(({ path, sha256 }) => {
    const body = readOrUndefined(join(out, path));
    return body !== undefined && hash('sha256', body, 'hex') === sha256 ? body : undefined;
  });
}

function readOrUndefined(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
