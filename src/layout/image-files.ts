// File names of image copies, in the folder beside the index and in the build's images/.

/** Folder of the copies, both in a build and beside the index. */
export const IMAGE_FOLDER = 'images';

/** Returns `<sha256>.<extension>`; the hash is of the fetched bytes. */
export function imageFile(sha256: string, extension: string): string {
  return `${sha256}.${extension}`;
}

export function thumbnailFile(sha256: string): string {
  return `${sha256}.thumb.webp`;
}

export interface ImageFile {
  readonly name: string;
  readonly bytes: number;
  /** Hash of the file itself, hex; differs from its name if the original is not stored unchanged. */
  readonly sha256: string;
}

export function filesOfCopy(copy: { readonly sha256: string; readonly extension: string }): [string, string] {
  return [imageFile(copy.sha256, copy.extension), thumbnailFile(copy.sha256)];
}
