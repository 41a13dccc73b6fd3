// Computes the names of image copies. Their folder is next to the index, and in a build it is images/.

/** The name of the folder with the copies of images, in a build and next to the index. */
export const IMAGE_FOLDER = 'images';

/** Returns the name `<sha256>.<extension>` of a copy. `sha256` is the hash of the fetched bytes. */
export function imageFile(sha256: string, extension: string): string {
  return `${sha256}.${extension}`;
}

export function thumbnailFile(sha256: string): string {
  return `${sha256}.thumb.webp`;
}

export interface ImageFile {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of this file in hex. It equals the hash in the name only if the fetched bytes were stored unchanged. */
  readonly sha256: string;
}

export function filesOfCopy(copy: { readonly sha256: string; readonly extension: string }): [string, string] {
  return [imageFile(copy.sha256, copy.extension), thumbnailFile(copy.sha256)];
}
