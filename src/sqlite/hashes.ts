// 32-byte hashes: hex with a 0x prefix in the model, blobs in the database.

export function hashToBlob(hash: string): Buffer {
  return Buffer.from(hash.slice(2), 'hex');
}

export function hashFromBlob(blob: Buffer): string {
  return `0x${blob.toString('hex')}`;
}
