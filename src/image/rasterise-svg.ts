// Renders an SVG in a process of its own, which is killed when it takes too long: a few bytes of filters can take
// hours, and nothing inside a process stops them.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Failure, fail } from '#model/failure.ts';

const SCRIPT = fileURLToPath(new URL('./rasterise-svg-process.ts', import.meta.url));
const TIME_LIMIT_MS = 10_000;
/** A PNG of 1,024 x 1,024 random pixels has 4 MB. */
const MAX_PNG_BYTES = 8_000_000;
/** What the process writes to standard error for an SVG that is too large. */
export const TOO_MANY_PIXELS = 'too many pixels';

/** The bytes of a PNG, or `image-undecodable`, `image-too-many-pixels` or `image-timeout`. */
export function rasteriseSvg(
  bytes: Uint8Array,
  maxPixels: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | Failure> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [SCRIPT, String(maxPixels)],
      {
        encoding: 'buffer',
        timeout: TIME_LIMIT_MS,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_PNG_BYTES,
        ...(signal === undefined ? {} : { signal }),
      },
      (error, stdout, stderr) => {
        const said = stderr.toString('utf8').trim();
        if (error === null) resolve(stdout);
        else if (said === TOO_MANY_PIXELS) resolve(fail('image-too-many-pixels'));
        else if (error.killed) resolve(fail('image-timeout'));
        else resolve(fail('image-undecodable', `The image cannot be decoded: ${said.split('\n')[0]}.`));
      },
    );
    child.stdin?.on('error', () => {}); // it ended before it had read everything: its status says why
    child.stdin?.end(bytes);
  });
}
