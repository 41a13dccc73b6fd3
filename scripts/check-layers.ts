// This script checks that imports follow the tables in src/README.md: who may import whom, which package has which
// home, which folders are pure, and that no file is long. Circles of imports are for the linter.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

/** Only these folders may import these packages; every other package is for all but the pure folders. */
const HOMES: Readonly<Record<string, string | readonly string[]>> = {
  'better-sqlite3': 'sqlite',
  kysely: ['sqlite', 'store', 'generator', 'publish'],
  'hyparquet-writer': 'dump',
  'p-queue': ['indexer', 'net', 'image'],
  tinypool: 'concurrency',
  '@stacks/clarinet-sdk': 'vm',
  '@stacks/transactions': ['vm', 'explorer'],
  undici: 'net',
  sharp: 'image',
  commander: 'cli',
  preact: 'explorer',
  aws4fetch: ['publish', 'hosts'],
  '@aws-sdk/credential-provider-node': 'cli',
};
/** Folders without file system, network, clock or randomness. */
const PURE = new Set(['model', 'text', 'clarity', 'standards', 'sip-016', 'hosts', 'layout', 'serving']);
/** Packages that a pure folder may import besides its layers. */
const PURE_PACKAGES = new Set(['c32check', 'json5', 'quick-lru', 'node:buffer', 'node:crypto', 'node:zlib']);
/** A file that needs more holds more than one concept. */
const MAX_LINES = 250;
const IMPURE_CALL = /\b(?:Date\.now\(|new Date\(\)|(?:Math\.random|randomUUID|randomBytes|fetch|performance\.now)\()/;

/** The words of each row of the table whose head begins so. */
function readTable(head: string): string[][] {
  const readme = readFileSync(join(SRC, 'README.md'), 'utf8');
  const [, block] = new RegExp(`\`\`\`\\n${head} +may import\\n([\\s\\S]*?)\`\`\``).exec(readme) ?? [];
  if (block === undefined) throw new Error(`src/README.md has no table of ${head}s`);
  const rows = block.trim().split('\n');
  return rows.map((row) => row.trim().split(/\s+/));
}

/** Lines of src/README.md, `folder    what it may import`, in a code block that begins with `layer`. */
function readLayers(): Map<string, ReadonlySet<string>> {
  const rows = readTable('layer');
  const names = rows.map(([name = '']) => name);
  const ground = rows.filter(([, imports]) => imports === 'ground').map(([name = '']) => name);
  return new Map(
    rows.map(([name = '', ...imports]) => [name, new Set([...(imports[0] === 'all' ? names : imports), ...ground])]),
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

/** `file`: below src/. */
function checkFile(file: string): string[] {
  const [layer = ''] = file.split('/');
  const mayImport = layers.get(layer);
  if (mayImport === undefined) return [`${file}: its folder is not in the layer table`];
  const source = readFileSync(join(SRC, file), 'utf8');
  // Code that runs at a host may do there what it is for.
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
      const room = dirname(file);
      const other = dirname(join(room, specifier));
      if (other.split('/')[0] !== layer && !specifier.includes('package.json'))
        problems.push(`across folders imports begin with #: ${specifier}`);
      if (rooms.get(room)?.has(other) === false && other !== room && other !== layer)
        problems.push(`${room} may not import ${other}: ${specifier}`);
      if (!/\.(?:tsx?|js|json)$/.test(specifier)) problems.push(`relative imports end in .ts: ${specifier}`);
    } else {
      const name = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
      const home = HOMES[name];
      if (home !== undefined && ![home].flat().includes(layer)) problems.push(`${name} has its home in ${home}`);
      if (PURE.has(layer) && !PURE_PACKAGES.has(name) && !runsAtHost)
        problems.push(`${layer} is pure and may not import ${specifier}`);
    }
  }
  const impure = runsAtHost || layer === 'serving' ? undefined : IMPURE_CALL.exec(source)?.[0];
  if (PURE.has(layer) && impure !== undefined) problems.push(`${layer} is pure: ${impure}`);
  if (/\bprocess\.env\b|\benv\b.*= process\b/.test(source) && file !== 'cli/world.ts' && !runsAtHost)
    problems.push('process.env is read in cli/world.ts alone');
  if (/\bconsole\.|process\.std(out|err)\b/.test(source) && layer !== 'cli' && !runsAtHost)
    problems.push('printing is for cli');
  return problems.map((problem) => `${file}: ${problem}`);
}

const layers = readLayers();
const rooms = readRooms();
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:tsx?|js)$/.test(name));
const problems = files.flatMap(checkFile);
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'The layers hold.' : `${problems.length} imports break the layers.`);
process.exitCode = problems.length === 0 ? 0 : 1;
