// Provides builds of the sample, which are made once for all tests. Between two of these builds, some files are new,
// changed or missing.
import { hash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { BuildOptions } from '#generator/build-options.ts';
import { buildIndex } from '../support/build-options.ts';
import { madeOnce } from '../support/made-once.ts';
import { indexSample } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The options of each build. `vm: false`: its index has no values of tokens. */
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

/** Replaces a build by another one. Keeps the record of published files, as a later build does. */
export function putBuild(from: string, out: string): void {
  for (const name of existsSync(out) ? readdirSync(out) : [])
    if (name !== '.stxpress') rmSync(join(out, name), { recursive: true });
  cpSync(from, out, { recursive: true });
}

/** Replaces a build by one of the builds of the sample. */
export const build = (out: string, version: keyof typeof VERSIONS) => putBuild(join(made, version), out);

export function newBuild(): string {
  const out = join(tempFolder(), 'dist');
  build(out, 'all');
  return out;
}

/** Changes or adds a file of a build, also in the build's record, as a later build would. */
export function putFile(out: string, path: string, text: string): void {
  writeFileSync(join(out, path), text);
  const record = new Database(join(out, '.stxpress/record.sqlite'));
  const sha256 = hash('sha256', text, 'buffer');
  record
    .prepare("replace into file (path, route, key, sha256, bytes) values (?, 'test', '', ?, ?)")
    .run(path, sha256, text.length);
  record.close();
}
