// Bundles the explorer, the page that runs in browsers: its script and its style, and a version of both.
// esbuild is what turns TypeScript and JSX into one small script: MIT, without dependencies. Preact draws the pages:
// MIT, 5 KB of the script.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashCode } from './hash-code.ts';

const FOLDER = fileURLToPath(new URL('../explorer/', import.meta.url));
/** The folders that are bundled: nothing else may be imported there, as the layers say. */
const SOURCES = ['concurrency', 'explorer', 'model', 'serving', 'text'];

export type Entry = 'main.tsx' | 'clarity-values.ts' | 'style.css';
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

/** Another one when a file of the explorer, or what it is bundled from, is another. */
export function explorerVersion(): string {
  return hashCode(SOURCES, ['../package.json']).slice(0, 12);
}
