// Makes small builds, whose lists name their responses, without an index.
import { hash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openBuildRecord } from '#generator/record/build-record.ts';
import { writeValues } from '#sqlite/info.ts';
import { insertRows } from '#sqlite/lists.ts';
import type { Random } from '../support/random.ts';

export type SmallSite = ReadonlyMap<string, string>;

const TOKEN = 'metadata/v1/ft/SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.';
const LISTS = ['metadata/v1/ft/pages/20/0.json', 'index.html'];

/** Returns a random site. Its lists name all of its tokens, and each token names its image. */
export function randomSite(random: Random): SmallSite {
  const files = new Map<string, string>();
  const tokens: string[] = [];
  for (const letter of 'abcdefghijklmnop') {
    if (random.chance(0.4)) continue;
    const image = `images/${`${random.below(3)}`.repeat(64)}.png`;
    files.set(image, `an image ${image}`);
    files.set(`${TOKEN}${letter}`, `${image} ${random.below(2)}`);
    tokens.push(`${TOKEN}${letter}`);
  }
  if (random.chance(0.5)) files.set('openapi.json', `${random.below(2)}`);
  for (const list of LISTS) files.set(list, tokens.join(' '));
  return files;
}

/** Returns the paths that a list or a token names, but that are missing. */
export function danglingIn(objects: ReadonlyMap<string, string>): string[] {
  const named = [...objects].flatMap(([path, text]) => {
    if (LISTS.includes(path)) return text.split(' ');
    return path.startsWith(TOKEN) ? [text.split(' ')[0] ?? ''] : [];
  });
  return named.filter((path) => path !== '' && !objects.has(path));
}

/** Writes a build of a site to a folder, and keeps the record of published files. */
export async function putSite(out: string, site: SmallSite): Promise<void> {
  mkdirSync(join(out, '.stxpress'), { recursive: true });
  for (const [path, text] of site) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), text);
  }
  const file = join(out, '.stxpress/record.sqlite');
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  await using record = await openBuildRecord(file);
  const rows = [...site].map(([path, text]) => ({
    ...{ path, route: 'test', key: path },
    ...{ sha256: hash('sha256', text, 'buffer'), bytes: text.length },
  }));
  await insertRows(record, 'file', rows);
  await writeValues(record, { origin: JSON.stringify({ chainId: 1 }), files: `${site.size}`, bytes: '0' });
}
