// Names of our copies of images, in the folder beside the index and in the build's images/.

/** Folder of the copies in a build; beside the index it has the same name. */
export const IMAGE_FOLDER = 'images';

/** `<sha256>.<extension>`, of the bytes as they were fetched. */
export function imageFile(sha256: string, extension: string): string {
  return `${sha256}.${extension}`;
}

export function thumbnailFile(sha256: string): string {
  return `${sha256}.thumb.webp`;
}

/** A file of a copy as it was written. */
export interface ImageFile {
  readonly name: string;
  readonly bytes: number;
  /** Of the file itself, hex: not that of its name where the original is not kept as it came. */
  readonly sha256: string;
}

/** The names of the files of a copy: the image, and its thumbnail. */
export function filesOfCopy(copy: { readonly sha256: string; readonly extension: string }): [string, string] {
  return [imageFile(copy.sha256, copy.extension), thumbnailFile(copy.sha256)];
}

/** Media types by extension. */
export const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
};
