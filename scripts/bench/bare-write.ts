// A baseline: writes the files that the last build of a site wrote into a new folder, nothing else. Usage: node
// scripts/bench/bare-write.ts SITE FOLDER
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [site = '', folder = ''] = process.argv.slice(2);
const lines = readFileSync(join(site, '.stxpress/changes.ndjson'), 'utf8').trim().split('\n');
for (const line of lines) {
  const { action, path } = JSON.parse(line) as { action: string; path: string };
  if (action !== 'write') continue;
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, readFileSync(join(site, path)));
}
