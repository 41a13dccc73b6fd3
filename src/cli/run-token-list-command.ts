// stxpress token-list: writes an npm package with the token list of the index. Needs no build.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '#files/read-if-exists.ts';
import { makeFolder, writeAtomically } from '#files/write-atomically.ts';
import { stop } from '#model/failure.ts';
import { renderedResponses } from '#routes/rendered-responses.ts';
import { type TokenList, tokenListFile } from '#routes/token-list-file.ts';
import { renderTokenListPackage } from '#site/token-list-package.ts';
import { formatCount } from '#text/format-count.ts';
import type { SettingsOf } from './options.ts';
import { readUrl } from './read-url.ts';
import { readIndex } from './use-index.ts';
import type { Context } from './world.ts';

export async function run(settings: SettingsOf<'token-list'>, context: Context): Promise<undefined> {
  const { db, out, packageName } = settings;
  const publicUrl =
    settings.publicUrl === undefined ? '' : readUrl('--public-url', settings.publicUrl, 'https://tokens.example.org');
  const list = await readIndex(db, async (store): Promise<TokenList> => {
    for await (const { page } of renderedResponses(store, 'all', [tokenListFile], { publicUrl }))
      return JSON.parse(page.body) as TokenList;
    throw new Error('the token list has no response');
  });
  const files = renderTokenListPackage(packageName, list);
  await checkFolder(out, new Set(files.keys()));
  await makeFolder(out);
  for (const [name, text] of files) await writeAtomically(join(out, name), text);
  const { major, minor, patch } = list.version;
  const version = `${major}.${minor}.${patch}`;
  context.print(
    `${out} has ${packageName} ${version} with ${formatCount(list.tokens.length)} tokens. ` +
      `Publish it with: npm publish ${out}`,
    { out, name: packageName, version, tokens: list.tokens.length },
  );
}

/** Throws FailureError `out-foreign` if the folder contains files that this command does not write. */
async function checkFolder(folder: string, known: ReadonlySet<string>): Promise<void> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  const foreign = names.find((name) => !known.has(name));
  if (foreign === undefined) return;
  throw stop(
    'out-foreign',
    `${folder} contains ${foreign}, which does not belong to a token list. Choose an empty folder with --out.`,
  );
}
