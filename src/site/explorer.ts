// Bundles the explorer, the page that runs in browsers: its script and its style, and a version of both. Preact draws
// the pages: MIT, 5 KB of the script.
import { bundle } from './bundle.ts';
import { hashCode } from './hash-code.ts';

/** The folders that are bundled: nothing else may be imported there, as the layers say. */
const SOURCES = ['concurrency', 'explorer', 'model', 'serving', 'text'];

export type Entry = 'main.tsx' | 'clarity-values.ts' | 'style.css';

export function bundleExplorer(entry: Entry): string {
  return bundle(`explorer/${entry}`, { minify: true, jsx: 'automatic', jsxImportSource: 'preact' });
}

/** Another one when a file of the explorer, or what it is bundled from, is another. */
export function explorerVersion(): string {
  return hashCode(SOURCES, ['../package.json']).slice(0, 12);
}
