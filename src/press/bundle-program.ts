// Bundles a program of hosts/edge and the data that it works on into the one text that a host runs.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import type { ProgramName } from '#hosts/host.ts';

/** The function on viewer requests may have 10 KB: its names are short but that of its entry, which is looked for. */
const PROGRAMS: Readonly<Record<ProgramName, BuildOptions>> = {
  'cloudflare-worker': entry('../hosts/edge/cloudflare-worker.ts'),
  'cloudfront-origin-response': entry('../hosts/edge/cloudfront-origin-response.ts'),
  'cloudfront-viewer-request': {
    ...entry('../hosts/edge/cloudfront-viewer-request.ts'),
    target: 'es2017',
    format: 'iife',
    footer: { js: 'var answer;async function handler(event){return answer(event)}' },
    minify: true,
  },
};

function entry(path: string): BuildOptions {
  return { entryPoints: [fileURLToPath(new URL(path, import.meta.url))], target: 'es2022' };
}

const bundled = new Map<string, string>();

/** Each text is made once in a process. */
export function bundleProgram(name: ProgramName, rules: object): string {
  const data = JSON.stringify(rules);
  const known = bundled.get(name + data);
  if (known !== undefined) return known;
  // Loaded here, for most builds write no program.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({
    format: 'esm',
    ...PROGRAMS[name],
    bundle: true,
    write: false,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    // Comments name each module by its path from here.
    absWorkingDir: fileURLToPath(new URL('../', import.meta.url)),
    define: { RULES: data },
  });
  const text = outputFiles?.[0]?.text ?? '';
  bundled.set(name + data, text);
  return text;
}
