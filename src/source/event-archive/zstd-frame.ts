// Finds the end of a zstd frame, and the dictionary that it needs, in compressed bytes (RFC 8878, 3.1).

export const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** The magic numbers of frames without data, which decompressors skip. A file of pzstd begins with one. */
const SKIPPABLE = Array.from({ length: 16 }, (_, index) => Buffer.from([0x50 + index, 0x2a, 0x4d, 0x18]));
export const FRAME_MAGICS = [ZSTD_MAGIC, ...SKIPPABLE];
/** The sizes of the dictionary id and of the content size, by their flags in the descriptor. */
const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const;
const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const;
/** The size of the largest part of a frame whose content is read. */
const MAX_READ_BYTES = 4;

interface Descriptor {
  /** The offset of the dictionary id after the descriptor, and its size; 0 for none. */
  readonly idOffset: number;
  readonly idBytes: number;
  /** The size of the header after the descriptor. */
  readonly headerBytes: number;
  readonly hasChecksum: boolean;
}

function readDescriptor(byte: number): Descriptor {
  const hasWindow = (byte & 0x20) === 0;
  const idOffset = hasWindow ? 1 : 0;
  const idBytes = DICTIONARY_ID_BYTES[byte & 3] as number;
  const sizeBytes = CONTENT_SIZE_BYTES[byte >> 6] || (hasWindow ? 0 : 1);
  return { idOffset, idBytes, headerBytes: idOffset + idBytes + sizeBytes, hasChecksum: (byte & 4) !== 0 };
}

/** Returns the id of the dictionary that a frame needs, from its first bytes; undefined for none. */
export function dictionaryId(frame: Buffer): number | undefined {
  const { idOffset, idBytes } = readDescriptor(frame[4] ?? 0);
  return idBytes === 0 ? undefined : frame.readUIntLE(5 + idOffset, idBytes);
}

/** Yields the size of each part of a frame, and receives its first {@link MAX_READ_BYTES} bytes. */
function* readParts(): Generator<number, undefined, Buffer> {
  if (!(yield ZSTD_MAGIC.length).equals(ZSTD_MAGIC)) {
    yield (yield 4).readUInt32LE();
    return;
  }
  const { headerBytes, hasChecksum } = readDescriptor((yield 1).readUInt8());
  yield headerBytes;
  for (let isLast = false; !isLast; ) {
    const block = (yield 3).readUIntLE(0, 3);
    isLast = (block & 1) === 1;
    const isRepeatedByte = ((block >> 1) & 3) === 1;
    yield isRepeatedByte ? 1 : block >> 3;
  }
  if (hasChecksum) yield 4;
}

export class ZstdFrame {
  readonly #parts = readParts();
  #part = this.#parts.next();
  readonly #beginning = Buffer.alloc(MAX_READ_BYTES);
  #read = 0;

  /** Returns the offset of the end of the frame in its next bytes; undefined if the frame continues after them. */
  findEnd(bytes: Buffer): number | undefined {
    let offset = 0;
    for (; this.#part.done !== true; this.#part = this.#parts.next(this.#beginning), this.#read = 0) {
      const rest = bytes.subarray(offset, offset + this.#part.value - this.#read);
      rest.copy(this.#beginning, Math.min(this.#read, MAX_READ_BYTES));
      offset += rest.length;
      this.#read += rest.length;
      if (this.#read < this.#part.value) return undefined;
    }
    return offset;
  }
}
