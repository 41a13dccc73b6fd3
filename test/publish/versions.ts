// Builds of the sample to publish, each made once for all tests: all of it, and others whose files are new, changed and
// gone.
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions } from '#press/build-options.ts';
import { buildIndex } from '../support/build-options.ts';
import { madeOnce } from '../support/made-once.ts';
import { indexSample } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Of the whole index, and of one without the values of tokens. */
const VERSIONS = {
  all: { vm: true },
  other: { vm: false, only: 'tokens' },
  third: { vm: false, publicUrl: 'https://third.test' },
  second: { vm: true, publicUrl: 'https://second.test' },
} as const satisfies Record<string, Partial<BuildOptions> & { vm: boolean }>;

const made = await madeOnce('published-versions', async (path) => {
  for (const vm of [true, false]) await indexSample(join(path, `${vm}.sqlite`), { vm });
  for (const [name, { vm, ...over }] of Object.entries<Partial<BuildOptions> & { vm: boolean }>(VERSIONS))
    await buildIndex(join(path, `${vm}.sqlite`), join(path, name), over);
});

/** Puts a build where another one was, as a build into that folder leaves it: what was published stays known. */
export function putBuild(from: string, out: string): void {
  for (const name of existsSync(out) ? readdirSync(out) : [])
    if (name !== '.stxpress') rmSync(join(out, name), { recursive: true });
  cpSync(from, out, { recursive: true });
}

/** Puts a version in the place of the one before. */
export const build = (out: string, version: keyof typeof VERSIONS) => putBuild(join(made, version), out);

export function newBuild(): string {
  const out = join(tempFolder(), 'dist');
  build(out, 'all');
  return out;
}
