// Waits for what another process does.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 2;
const PATIENCE_MS = 30_000;

export async function waitFor(what: string, isThere: () => boolean): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; !isThere(); await delay(POLL_MS))
    if (performance.now() > until) throw new Error(`waited in vain for ${what}`);
}

/** Until the file says something that matches. */
export function waitForText(path: string, pattern: RegExp): Promise<void> {
  return waitFor(`${pattern} in ${path}`, () => existsSync(path) && pattern.test(readFileSync(path, 'utf8')));
}
