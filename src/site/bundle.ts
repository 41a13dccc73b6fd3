// Bundles a program and what it imports into one text, that of a page or of a host.
// esbuild is what turns TypeScript and JSX into one small script: MIT, without dependencies.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

const SRC = fileURLToPath(new URL('../', import.meta.url));
const bundled = new Map<string, string>();

/** `path`: below src/. Each text is made once in a process. */
export function bundle(path: string, options: BuildOptions): string {
  const what = JSON.stringify([path, options]);
  const known = bundled.get(what);
  if (known !== undefined) return known;
  // Loaded here, for most builds bundle nothing.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({
    target: 'es2022',
    format: 'esm',
    ...options,
    entryPoints: [`./${path}`],
    bundle: true,
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
    // Comments name each module by its path from here.
    absWorkingDir: SRC,
  });
  const text = outputFiles?.[0]?.text ?? '';
  bundled.set(what, text);
  return text;
}
