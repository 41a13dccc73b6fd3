// Decodes images in a few processes with limits: takes bytes, returns the files to store or a failure.
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Budget } from '#concurrency/budget.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { DecodeProcess, explain } from './decode-process.ts';
import type { Processed } from './process-image.js';

export interface DecodedImage extends Processed {
  /** SHA-256 of the fetched bytes, hex. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

interface DecodeLimits {
  readonly maxPixels: number;
  readonly maxCpuSeconds?: number;
}

const MAX_PROCESSES = 4;
const MAX_CPU_SECONDS = 10;
/** Memory of a process before it decodes anything large. A process that ever had more is not used again. */
const BASE_MEMORY = 160_000_000;
/** Worst case: an AVIF of 10 bits with an alpha channel. */
const MEMORY_PER_PIXEL = 24;
/** The bytes are read, joined, and copied by some decoders. */
const COPIES_OF_BYTES = 4;
/** Pixels for which memory is reserved until an image's size is known. */
const HEADER_PIXELS = 8_000_000;

/** Must be closed at the end. Concurrent images together have at most as many pixels as one may have. */
export class ImageDecoder {
  readonly #limits: Required<DecodeLimits>;
  readonly #turns = new Budget(Math.min(availableParallelism(), MAX_PROCESSES));
  readonly #pixels: Budget;
  readonly #processes = new Set<DecodeProcess>();
  readonly #idle: DecodeProcess[] = [];
  #isClosed = false;

  constructor({ maxPixels, maxCpuSeconds = MAX_CPU_SECONDS }: DecodeLimits) {
    this.#limits = { maxPixels, maxCpuSeconds };
    this.#pixels = new Budget(maxPixels);
  }

  /** May return `image-undecodable`, `image-unsupported`, `image-too-many-pixels`, `image-too-costly` and others. */
  async decode(bytes: Uint8Array): Promise<DecodedImage | Failure> {
    const image = await this.#turns.use(() => this.#decodeIn(bytes));
    if (isFailure(image)) return image;
    // Hash of the fetched bytes, so that the same image has the same name whatever our encoder does.
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { ...image, sha256, bytes: image.bytes ?? bytes };
  }

  /** Ends decoding in progress, which returns a failure. */
  close(): void {
    this.#isClosed = true;
    for (const process of this.#processes) process.end();
  }

  async #decodeIn(bytes: Uint8Array): Promise<Processed | Failure> {
    if (this.#isClosed) return fail('image-timeout');
    const process = this.#idle.pop() ?? this.#start();
    const memoryFor = (pixels: number) => memoryOf(pixels) + COPIES_OF_BYTES * bytes.length;
    const order = { bytes, ...this.#limits, maxMemory: memoryFor(HEADER_PIXELS) };
    const first = await process.ask(order);
    const reply =
      'pixels' in first ? await this.#pixels.use(() => process.ask(memoryFor(first.pixels)), first.pixels) : first;
    if (isFailure(reply)) {
      this.#end(process);
      return reply;
    }
    if (!('peakMemory' in reply)) throw new Error('a decoder measured an image twice');
    const { image, code, detail, peakMemory } = reply;
    if (code === 'image-too-costly' || peakMemory > BASE_MEMORY) this.#end(process);
    else this.#idle.push(process);
    return image ?? (code === undefined ? explain(detail ?? '') : fail(code, detail));
  }

  #start(): DecodeProcess {
    const process = new DecodeProcess(memoryOf(Math.max(this.#limits.maxPixels, HEADER_PIXELS)));
    this.#processes.add(process);
    return process;
  }

  #end(process: DecodeProcess): void {
    process.end();
    this.#processes.delete(process);
  }
}

function memoryOf(pixels: number): number {
  return BASE_MEMORY + MEMORY_PER_PIXEL * pixels;
}
