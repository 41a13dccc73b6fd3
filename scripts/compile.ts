// This script compiles src/ into lib/ for the npm package, since Node does not run TypeScript inside node_modules. It
// replaces types by spaces, so that lines and columns in stack traces match src/.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const LIB = fileURLToPath(new URL('../lib/', import.meta.url));
/** Matches `'./x.ts'` in imports and URLs. Imports of other folders are mapped by `PACKAGE`. */
const RELATIVE_FILE = /(['"])(\.{1,2}\/[\w./-]+)\.ts\1/g;
/** The package.json of lib/, which maps `#model/x.ts` to a file. */
const PACKAGE = { type: 'module', imports: { '#*.ts': './*.js', '#*': './*' } };

/** Matches sources that the package contains only in bundles. */
const BUNDLED = /^(?:explorer|hosts\/edge)\//;
/** Matches files of the explorer that commands also import, so the package contains them outside bundles too. */
const SHARED = /^explorer\/(?:search-text|find-(?:in-blocks|tokens))\.ts$/;

mkdirSync(LIB, { recursive: true });
for (const name of readdirSync(LIB)) if (name !== 'bundles') rmSync(join(LIB, name), { recursive: true });
for (const name of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
  if (name.endsWith('.d.ts') || (BUNDLED.test(name) && !SHARED.test(name))) continue;
  if (name.endsWith('.ts')) {
    const code = stripTypeScriptTypes(readFileSync(join(SRC, name), 'utf8'));
    write(name.replace(/\.ts$/, '.js'), code.replaceAll(RELATIVE_FILE, '$1$2.js$1').replaceAll(/[ \t]+$/gm, ''));
  }
  if (/\.(?:js|conf|png)$/.test(name)) {
    mkdirSync(dirname(join(LIB, name)), { recursive: true });
    cpSync(join(SRC, name), join(LIB, name));
  }
}
write('package.json', `${JSON.stringify(PACKAGE, null, 2)}\n`);

function write(name: string, text: string): void {
  const file = join(LIB, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
