// The program of a process that decodes images, one at a time. Receives the bytes of an image and sends the files to
// store, or the reason for a failure. It is JavaScript, since it runs without a compiler (decode-process.ts).
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { memoryFor, SVG_PIXELS } from './decode-memory.js';
import { processImage, Refusal } from './process-image.js';

/** @import { FailureCode } from '#model/failure.ts' */
/** @import { Processed } from './process-image.js' */

/** @typedef {{ bytes: Uint8Array, maxPixels: number, maxCpuSeconds: number }} Order */
/**
 * The reply to an {@link Order}: the image, or a code or a message of libvips. `peakMemory` is the maximum memory that
 * the process ever used, in bytes.
 * @typedef {{ image?: Processed, code?: FailureCode, detail?: string, peakMemory: number }} Reply
 */

const WATCH_EVERY_MS = 50;
const FONTS = /** @type {string} */ (process.argv[2]);

sharp.cache(false);
sharp.concurrency(1);
// Ctrl-C signals all processes of a terminal, but only the parent process ends the work in progress.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

process.on('message', (/** @type {Order} */ order) => {
  void work(order).then((response) => process.send?.({ ...response, peakMemory: peakMemory() }));
});

/**
 * Decodes an image. Returns the files to store, or a failure; never rejects.
 * @param {Order} order
 * @returns {Promise<Omit<Reply, 'peakMemory'>>}
 */
async function work({ bytes, maxPixels, maxCpuSeconds }) {
  const start = process.cpuUsage();
  let memory = memoryFor(SVG_PIXELS, bytes.length);
  const excess = () => {
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1e6 > maxCpuSeconds) return costly(`${maxCpuSeconds} s of processor time`);
    if (peakMemory() > memory) return costly(`${Math.round(memory / 1e6)} MB of memory`);
    return undefined;
  };
  /** @type {(excess: Refusal) => void} */
  let stop;
  /** @type {Promise<never>} */
  const stopped = new Promise((_, reject) => {
    stop = reject;
  });
  using _watch = setInterval(() => {
    const costs = excess();
    if (costs !== undefined) stop(costs);
  }, WATCH_EVERY_MS);
  try {
    const processed = processImage(bytes, maxPixels, FONTS, (pixels) => {
      memory = memoryFor(pixels, bytes.length);
    });
    const image = await Promise.race([processed, stopped]);
    const costs = excess();
    if (costs !== undefined) throw costs;
    return { image };
  } catch (error) {
    const refusal = error instanceof Refusal ? error : excess();
    if (refusal === undefined) return { detail: error instanceof Error ? error.message : String(error) };
    return { code: refusal.code, ...(refusal.detail && { detail: refusal.detail }) };
  }
}

/** @param {string} limit */
function costly(limit) {
  return new Refusal('image-too-costly', `The image takes more than ${limit} to decode.`);
}

/** Returns the peak memory in bytes. Linux needs /proc, since the peak of `getrusage` includes the parent process. */
function peakMemory() {
  if (process.platform !== 'linux') return process.memoryUsage.rss();
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) * 1024;
}
