// This script checks that imports follow the tables in src/README.md: who may import whom, which package has which
// home, which folders are pure, and that no file is long. Circles of imports are for the linter.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

/**
 * Packages that only these folders may import; every other package may be imported anywhere but in the pure folders.
 */
const HOMES: Readonly<Record<string, string | readonly string[]>> = {
  'better-sqlite3': 'sqlite',
  kysely: ['sqlite', 'store', 'press', 'publish'],
  'hyparquet-writer': 'dump',
  'p-queue': 'indexer',
  tinypool: 'concurrency',
  '@stacks/clarinet-sdk': 'vm',
  '@stacks/transactions': ['vm', 'explorer'],
  undici: 'net',
  sharp: 'image',
  commander: 'cli',
  preact: 'explorer',
  esbuild: ['site', 'press'],
  aws4fetch: 'publish',
  '@aws-sdk/credential-provider-node': 'cli',
};
/** Folders without file system, network, clock or randomness. */
const PURE = new Set(['model', 'text', 'clarity', 'standards', 'sip-016', 'hosts', 'serving']);
/** Packages that a pure folder may import besides its layers. */
const PURE_PACKAGES = new Set(['c32check', 'json5', 'node:buffer', 'node:crypto', 'node:zlib', 'cloudfront']);
/** A file that needs more holds more than one concept. */
const MAX_LINES = 250;
const IMPURE_CALLS = [
  /\bDate\.now\(/,
  /\bnew Date\(\)/,
  /\bMath\.random\(/,
  /\brandomUUID\(/,
  /\brandomBytes\(/,
  /\bfetch\(/,
  /\bperformance\.now\(/,
];

interface Layer {
  readonly name: string;
  readonly mayImport: ReadonlySet<string>;
}

/** The words of each row of the table whose head begins so. */
function readTable(head: string): string[][] {
  const readme = readFileSync(join(SRC, 'README.md'), 'utf8');
  const [, block] = new RegExp(`\`\`\`\\n${head} +may import\\n([\\s\\S]*?)\`\`\``).exec(readme) ?? [];
  if (block === undefined) throw new Error(`src/README.md has no table of ${head}s`);
  const rows = block.trim().split('\n');
  return rows.map((row) => row.trim().split(/\s+/));
}

/**
 * The table stands in src/README.md as lines `folder    what it may import`, in a code block that begins with `layer`.
 */
function readLayers(): Map<string, Layer> {
  const rows = readTable('layer');
  const names = rows.map(([name]) => name as string);
  const ground = rows.filter(([, imports]) => imports === 'ground').map(([name]) => name as string);
  return new Map(
    rows.map(([name, ...imports]) => {
      const allowed = imports[0] === 'all' ? names : imports.filter((layer) => layer !== '-' && layer !== 'ground');
      return [name as string, { name: name as string, mayImport: new Set([...allowed, ...ground, name as string]) }];
    }),
  );
}

/** The rooms of a folder are in another table of this form, which begins with `room`: a room may import these. */
function readRooms(): Map<string, ReadonlySet<string>> {
  return new Map(
    readTable('room').map(([room = '', ...others]) => [
      room,
      new Set(others.map((other) => `${room.split('/')[0]}/${other}`)),
    ]),
  );
}

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(path);
    else if (/\.(?:tsx?|js)$/.test(entry.name)) yield path;
  }
}

function checkFile(path: string, layers: ReadonlyMap<string, Layer>): string[] {
  const file = relative(SRC, path);
  const layer = layers.get(file.split('/')[0] ?? '');
  if (layer === undefined) return [`${file}: its folder is not in the layer table`];
  const source = readFileSync(path, 'utf8');
  const problems: string[] = [];
  const lines = source.split('\n').length - 1;
  if (lines > MAX_LINES) problems.push(`it has ${lines} lines, of at most ${MAX_LINES}`);
  const imports = source.matchAll(/^(?:import|export)\s+(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm);
  for (const [statement, specifier = ''] of imports) {
    const isTypeOnly = /^(?:import|export)\s+type\s/.test(statement);
    if (specifier.startsWith('#')) {
      const target = specifier.slice(1).split('/')[0] ?? '';
      if (target === layer.name) problems.push(`inside a folder imports are relative: ${specifier}`);
      else if (!layer.mayImport.has(target) && !(isTypeOnly && layer.mayImport.has(`type:${target}`)))
        problems.push(`${layer.name} may not import ${target}: ${specifier}`);
    } else if (specifier.startsWith('.')) {
      const target = relative(SRC, join(path, '..', specifier)).split('/')[0];
      if (target !== layer.name && !specifier.includes('package.json'))
        problems.push(`across folders imports begin with #: ${specifier}`);
      const [room, other] = [dirname(file), dirname(relative(SRC, join(path, '..', specifier)))];
      const mayImport = rooms.get(room);
      if (mayImport !== undefined && other !== room && other !== layer.name && !mayImport.has(other))
        problems.push(`${room} may not import ${other}: ${specifier}`);
      if (!/\.(?:tsx?|js|json)$/.test(specifier)) problems.push(`relative imports end in .ts: ${specifier}`);
    } else {
      const name = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
      const home = HOMES[name];
      if (home !== undefined && ![home].flat().includes(layer.name)) problems.push(`${name} has its home in ${home}`);
      if (PURE.has(layer.name) && !PURE_PACKAGES.has(name))
        problems.push(`${layer.name} is pure and may not import ${specifier}`);
    }
  }
  // Code that runs at a host may do there what it is for.
  if (PURE.has(layer.name) && !file.startsWith('hosts/edge/') && !file.startsWith('serving/')) {
    for (const call of IMPURE_CALLS) if (call.test(source)) problems.push(`${layer.name} is pure: ${call.source}`);
  }
  if (/\bprocess\.env\b|\benv\b.*= process\b/.test(source) && file !== 'cli/world.ts')
    problems.push('process.env is read in cli/world.ts alone');
  if (/\bconsole\.|process\.std(out|err)\b/.test(source) && layer.name !== 'cli') problems.push('printing is for cli');
  return problems.map((problem) => `${file}: ${problem}`);
}

const layers = readLayers();
const rooms = readRooms();
const problems = [...sourceFiles(SRC)].flatMap((path) => checkFile(path, layers));
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'The layers hold.' : `${problems.length} imports break the layers.`);
process.exitCode = problems.length === 0 ? 0 : 1;
