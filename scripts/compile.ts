// This script compiles src/ into lib/ for the npm package, since Node runs no TypeScript inside node_modules: types are
// replaced by spaces, so that lines and columns of a stack stay those of src/.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const LIB = fileURLToPath(new URL('../lib/', import.meta.url));
/** `'./x.ts'`, in an import as in a URL. Imports of other folders are mapped, below. */
const OWN_FILE = /(['"])(\.{1,2}\/[\w./-]+)\.ts\1/g;
/** The nearest package.json says what `#model/x.ts` is. */
const PACKAGE = { type: 'module', imports: { '#*.ts': './*.js', '#*': './*' } };

/** Files of the explorer, which is bundled as it is, that commands import too. */
const SHARED = /^explorer\/(?:asked|find-[\w-]+)\.ts$/;

rmSync(LIB, { recursive: true, force: true });
for (const name of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
  if (name.endsWith('.d.ts')) continue;
  const isOfExplorer = name.startsWith('explorer');
  if (name.endsWith('.ts') && (!isOfExplorer || SHARED.test(name))) {
    const code = stripTypeScriptTypes(readFileSync(join(SRC, name), 'utf8'));
    write(name.replace(/\.ts$/, '.js'), code.replaceAll(OWN_FILE, '$1$2.js$1').replaceAll(/[ \t]+$/gm, ''));
  }
  if (/\.(?:tsx|js|css|conf|wasm)$/.test(name) || (isOfExplorer && /\.ts$|tsconfig\.json$/.test(name))) {
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
