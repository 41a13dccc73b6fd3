// Decodes images in a few processes with limits. Takes bytes, and returns the files to store or a failure.
import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { type DecodeProcess, explain, startDecodeProcess } from './decode-process.ts';
import type { Processed } from './process-image.js';
import { WeightLimit } from './weight-limit.ts';

export interface DecodedImage extends Processed {
  /** SHA-256 of the fetched bytes in hex. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

const MAX_PROCESSES = 4;
const MAX_CPU_SECONDS = 5;
/** The maximum memory of a process, in bytes, without a large image. A process that used more is replaced. */
const BASE_MEMORY = 160_000_000;
/** The memory for a pixel, in bytes, in the worst case: an AVIF of 10 bits with an alpha channel. */
const MEMORY_PER_PIXEL = 24;
/** The number of copies of an image's bytes in memory: they are read, joined, and copied by some decoders. */
const COPIES_OF_BYTES = 4;
/** The number of pixels for which memory is reserved until the size of an image is known. */
const HEADER_PIXELS = 8_000_000;

/** Creates a decoder, which must be closed. Images that are decoded in parallel have at most `maxPixels` in total. */
export function createImageDecoder(maxPixels: number, maxCpuSeconds = MAX_CPU_SECONDS, fonts?: string) {
  const images = new PQueue({ concurrency: Math.min(availableParallelism(), MAX_PROCESSES) });
  const pixels = new WeightLimit(maxPixels);
  const processes = new Set<DecodeProcess>();
  const idle: DecodeProcess[] = [];
  let isClosed = false;
  return {
    /**
     * Decodes an image. Its failures include `image-undecodable`, `image-unsupported`, `image-too-many-pixels` and
     * `image-too-costly`.
     */
    async decode(bytes: Uint8Array): Promise<DecodedImage | Failure> {
      const image = await images.add(() => decodeIn(bytes));
      if (isFailure(image)) return image;
      // The hash of the fetched bytes stays the same if the encoder changes.
      return { ...image, sha256: hash('sha256', bytes), bytes: image.bytes ?? bytes };
    },
    /** Stops decoding in progress, which returns a failure. */
    close(): void {
      isClosed = true;
      for (const process of processes) process.end();
    },
  };

  async function decodeIn(bytes: Uint8Array): Promise<Processed | Failure> {
    if (isClosed) return fail('image-timeout');
    const process = idle.pop() ?? start();
    const memoryFor = (pixels: number) => memoryOf(pixels) + COPIES_OF_BYTES * bytes.length;
    const order = { bytes, maxPixels, maxCpuSeconds, maxMemory: memoryFor(HEADER_PIXELS) };
    const first = await process.request(order);
    const reply =
      'pixels' in first ? await pixels.run(first.pixels, () => process.request(memoryFor(first.pixels))) : first;
    if (isFailure(reply)) {
      end(process);
      return reply;
    }
    if (!('peakMemory' in reply)) throw new Error('a decoder measured an image twice');
    const { image, code, detail, peakMemory } = reply;
    if (code === 'image-too-costly' || peakMemory > BASE_MEMORY) end(process);
    else idle.push(process);
    return image ?? (code === undefined ? explain(detail ?? '') : fail(code, detail));
  }

  function start(): DecodeProcess {
    const process = startDecodeProcess(memoryOf(Math.max(maxPixels, HEADER_PIXELS)), undefined, fonts);
    processes.add(process);
    return process;
  }

  function end(process: DecodeProcess): void {
    process.end();
    processes.delete(process);
  }
}

function memoryOf(pixels: number): number {
  return BASE_MEMORY + MEMORY_PER_PIXEL * pixels;
}
