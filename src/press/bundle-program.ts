// Bundles a program of hosts/edge and the data that it works on into the one text that a host runs.
import type { ProgramName } from '#hosts/host.ts';
import { bundle } from '#site/bundle.ts';

/** The function on viewer requests may have 10 KB: its names are short but that of its entry, which is looked for. */
const OF_VIEWER_REQUEST = {
  target: 'es2017',
  format: 'iife',
  footer: { js: 'var answer;async function handler(event){return answer(event)}' },
  minify: true,
} as const;

export function bundleProgram(name: ProgramName, rules: object): string {
  const own = name === 'cloudfront-viewer-request' ? OF_VIEWER_REQUEST : {};
  return bundle(`hosts/edge/${name}`, { ...own, charset: 'utf8', define: { RULES: JSON.stringify(rules) } });
}
