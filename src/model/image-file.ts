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

/** Media types by extension. */
export const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
};
