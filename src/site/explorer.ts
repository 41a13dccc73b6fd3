// Bundles the explorer, the page that runs in browsers: its script and its style, and a version of both.
// esbuild is what turns TypeScript and JSX into one small script: MIT, without dependencies. Preact draws the pages: MIT,
// 5 KB of the script.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };

const FOLDER = fileURLToPath(new URL('../explorer/', import.meta.url));
/** What is bundled: nothing else may be imported there, as the layers say. */
const SOURCES = [
  FOLDER,
  ...['model', 'serving', 'text'].map((name) => fileURLToPath(new URL(`../${name}/`, import.meta.url))),
];

type Entry = 'main.tsx' | 'clarity-values.ts' | 'style.css';
const bundles = new Map<Entry, Promise<string>>();

/** Once in a process. */
export function bundleExplorer(entry: Entry): Promise<string> {
  const bundled = bundles.get(entry) ?? bundle(entry);
  bundles.set(entry, bundled);
  return bundled;
}

async function bundle(entry: Entry): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

let version: string | undefined;

/** Another one when a file of the explorer, or what it is bundled from, is another. */
export function explorerVersion(): string {
  if (version !== undefined) return version;
  const hash = createHash('sha256').update(JSON.stringify(packageJson.dependencies));
  for (const folder of SOURCES) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:tsx?|js|css)$/.test(name),
    );
    for (const name of files.sort()) hash.update(name).update(readFileSync(join(folder, name)));
  }
  version = hash.digest('hex').slice(0, 12);
  return version;
}
