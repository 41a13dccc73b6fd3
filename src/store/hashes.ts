// 32 byte hashes as the model writes them (hex with a 0x prefix) and as the database holds them (blobs).

export function hashToBlob(hash: string): Buffer {
  return Buffer.from(hash.slice(2), 'hex');
}

export function hashFromBlob(blob: Buffer): string {
  return `0x${blob.toString('hex')}`;
}
