// Computes the file names of image copies, in the folder next to the index and in the build's images/.

/** Name of the folder of copies, both in a build and next to the index. */
export const IMAGE_FOLDER = 'images';

/** Returns `<sha256>.<extension>`, with the hash of the fetched bytes. */
export function imageFile(sha256: string, extension: string): string {
  return `${sha256}.${extension}`;
}

export function thumbnailFile(sha256: string): string {
  return `${sha256}.thumb.webp`;
}

export interface ImageFile {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of the file in hex. Differs from the hash in its name unless the fetched bytes are stored unchanged. */
  readonly sha256: string;
}

export function filesOfCopy(copy: { readonly sha256: string; readonly extension: string }): [string, string] {
  return [imageFile(copy.sha256, copy.extension), thumbnailFile(copy.sha256)];
}
