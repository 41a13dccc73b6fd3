// Bundles the explorer, the programs for hosts and Swagger UI into lib/bundles/, unless their sources are unchanged. It
// is plain JavaScript, because the first run uses the machine's Node.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SRC = join(ROOT, 'src');
const BUNDLES = join(ROOT, 'lib/bundles');
const PARTIAL = join(ROOT, 'lib/partial');
/** The file with the hash of the sources. It is written last. */
const KEY = join(BUNDLES, 'sources');

/** Folders of src/ that the bundles may import. */
const FOLDERS = ['clarity', 'concurrency', 'explorer', 'hosts', 'layout', 'model', 'serving', 'text'];
/** Matches the files that bundles may import: files below these folders, and files outside src/. */
const NOTICED = new RegExp(`^(?:${FOLDERS.join('|')})/|^\\W`);
/** Files outside src/ that affect the bundles. */
const OTHER_FILES = ['package-lock.json', 'scripts/bundle.mjs'];

const EXPLORER = { app: ['main.tsx', 'style.css'], 'clarity-values': ['clarity-values.ts'] };

/** Swagger UI (Apache-2.0), which displays the API description. */
const SWAGGER = join(ROOT, 'node_modules/swagger-ui-dist');
const SWAGGER_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css'];
const SWAGGER_LICENCES = ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt'];

/** The file in hosts/edge that is not a program: the programs import it. */
const IN_PROGRAMS = 'respond.ts';

const key = hashSources();
if (readKey() !== key) await makeBundles(key);

function hashSources() {
  const files = FOLDERS.flatMap((folder) => listFiles(join(SRC, folder)).map((file) => `src/${folder}/${file}`));
  const hash = createHash('sha256');
  for (const file of [...files, ...OTHER_FILES]) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

/** Returns the files below a folder. Names with a dot are files, since names of folders do not contain dots. */
function listFiles(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.includes('.')).sort();
}

function readKey() {
  try {
    return readFileSync(KEY, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Bundles everything and writes each file atomically, since other commands may read or write the bundles at the same
 * time.
 */
async function makeBundles(key) {
  rmSync(KEY, { force: true });
  const made = [...(await bundleExplorer()), ...(await bundlePrograms()), ...readSwagger()];
  for (const { path, contents } of made) write(path, contents);
  const paths = new Set(made.map(({ path }) => relative(BUNDLES, path)));
  for (const file of listFiles(BUNDLES)) if (!paths.has(file)) rmSync(join(BUNDLES, file), { force: true });
  write(KEY, key);
}

function bundleExplorer() {
  const entryPoints = Object.entries(EXPLORER).flatMap(([out, files]) =>
    files.map((file) => ({ in: `explorer/${file}`, out: `explorer/${out}` })),
  );
  return bundle({ entryPoints, minify: true, jsx: 'automatic', jsxImportSource: 'preact' });
}

/**
 * Bundles each program of hosts/edge. Constants of a site stay undeclared. A build writes their declarations in front
 * of a program.
 */
function bundlePrograms() {
  const files = readdirSync(join(SRC, 'hosts/edge')).filter((file) => file !== IN_PROGRAMS);
  const entryPoints = files.map((file) => ({ in: `hosts/edge/${file}`, out: `edge/${file.replace(/\.ts$/, '')}` }));
  return bundle({ entryPoints, charset: 'utf8' });
}

function readSwagger() {
  const read = (name) => readFileSync(join(SWAGGER, name));
  return [
    ...SWAGGER_FILES.map((name) => ({ path: join(BUNDLES, 'docs', name), contents: read(name) })),
    { path: join(BUNDLES, 'docs/LICENSE.txt'), contents: SWAGGER_LICENCES.map(read).join('\n\n') },
  ];
}

async function bundle(options) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    target: 'es2022',
    format: 'esm',
    ...options,
    bundle: true,
    write: false,
    metafile: true,
    outdir: BUNDLES,
    legalComments: 'none',
    logLevel: 'silent',
    // Comments in the bundles name each module by its path relative to this folder.
    absWorkingDir: SRC,
  });
  const undeclared = Object.keys(metafile.inputs).filter((file) => !NOTICED.test(file));
  if (undeclared.length > 0) throw new Error(`Bundles import ${undeclared.join(', ')}. Add the folder to FOLDERS.`);
  return outputFiles;
}

function write(file, contents) {
  const partial = join(PARTIAL, `${basename(file)}.${process.pid}`);
  for (const folder of [PARTIAL, dirname(file)]) mkdirSync(folder, { recursive: true });
  writeFileSync(partial, contents);
  renameSync(partial, file);
}
