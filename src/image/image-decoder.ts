// Decodes images in a few processes with limits. Takes bytes, and returns the files to store or a failure.
import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { BASE_MEMORY, memoryFor, SVG_PIXELS } from './decode-memory.js';
import { type DecodeProcess, explain, startDecodeProcess } from './decode-process.ts';
import type { Processed } from './process-image.js';

export interface DecodedImage extends Processed {
  /** SHA-256 of the fetched bytes in hex. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

const MAX_PROCESSES = 4;
const MAX_CPU_SECONDS = 5;
/** Creates a decoder, which must be closed. It refuses images of more than `maxPixels`. */
export function createImageDecoder(maxPixels: number, maxCpuSeconds = MAX_CPU_SECONDS, fonts?: string) {
  const images = new PQueue({ concurrency: Math.min(availableParallelism(), MAX_PROCESSES) });
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
    const reply = await process.request({ bytes, maxPixels, maxCpuSeconds });
    if (isFailure(reply)) {
      end(process);
      return reply;
    }
    const { image, code, detail, peakMemory } = reply;
    if (code === 'image-too-costly' || peakMemory > BASE_MEMORY) end(process);
    else idle.push(process);
    return image ?? (code === undefined ? explain(detail ?? '') : fail(code, detail));
  }

  function start(): DecodeProcess {
    const process = startDecodeProcess(memoryFor(Math.max(maxPixels, SVG_PIXELS)), undefined, fonts);
    processes.add(process);
    return process;
  }

  function end(process: DecodeProcess): void {
    process.end();
    processes.delete(process);
  }
}
