// The program of a process that decodes images, one after the other: it is sent the bytes of one, and sends what is
// kept of it, or why nothing is. JavaScript, since it runs without a compiler (decode-process.ts).
// @ts-check
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { processImage, Refusal } from './process-image.js';

/** @import { FailureCode } from '#model/failure.ts' */
/** @import { Processed } from './process-image.js' */

/** @typedef {{ bytes: Uint8Array, maxPixels: number, maxCpuSeconds: number, maxMemory: number }} Order */
/**
 * The answer to an order: first, unless the image is refused, how many pixels are to be decoded. That is answered with
 * the bytes of memory that the process may have for them. Then the image, or why there is none: a code, or what
 * libvips said. `peakMemory` is the most that the process ever had, in bytes.
 * @typedef {{ pixels: number } | Answer} Reply
 * @typedef {{ image?: Processed, code?: FailureCode, detail?: string, peakMemory: number }} Answer
 */

const WATCH_EVERY_MS = 50;

sharp.cache(false);
sharp.concurrency(1);
// Ctrl-C reaches all processes of a terminal; what is under way is ended by the one that asked for it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

/** @type {(maxMemory: number) => void} */
let allow = () => {};
process.on('message', (/** @type {Order | number} */ message) => {
  if (typeof message === 'number') allow(message);
  else void work(message).then((answer) => send({ ...answer, peakMemory: peakMemory() }));
});

/**
 * Never rejects.
 * @param {Order} order
 * @returns {Promise<Omit<Answer, 'peakMemory'>>}
 */
async function work({ bytes, maxPixels, maxCpuSeconds, maxMemory }) {
  const start = process.cpuUsage();
  let memory = maxMemory;
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
  const watch = setInterval(() => {
    const costs = excess();
    if (costs !== undefined) stop(costs);
  }, WATCH_EVERY_MS);
  try {
    const processed = processImage(bytes, maxPixels, async (pixels) => {
      send({ pixels });
      memory = await new Promise((resolve) => {
        allow = resolve;
      });
    });
    const image = await Promise.race([processed, stopped]);
    const costs = excess();
    if (costs !== undefined) throw costs;
    return { image };
  } catch (error) {
    const refusal = error instanceof Refusal ? error : excess();
    if (refusal === undefined) return { detail: error instanceof Error ? error.message : String(error) };
    return { code: refusal.code, ...(refusal.detail && { detail: refusal.detail }) };
  } finally {
    clearInterval(watch);
  }
}

/** @param {string} limit */
function costly(limit) {
  return new Refusal('image-too-costly', `The image takes more than ${limit} to decode.`);
}

/** What `getrusage` calls so begins, on Linux, with the memory of the process that started this one. */
function peakMemory() {
  if (process.platform !== 'linux') return process.memoryUsage.rss();
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) * 1024;
}

/** @param {Reply} reply */
function send(reply) {
  process.send?.(reply);
}
