// Puts a build that was made once where another one was, as a build into that folder leaves it: what was published
// stays known.
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export function putBuild(from: string, out: string): void {
  for (const name of existsSync(out) ? readdirSync(out) : [])
    if (name !== '.stxpress') rmSync(join(out, name), { recursive: true });
  cpSync(from, out, { recursive: true });
}
