import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderHostTable } from '#hosts/describe-hosts.ts';
import { FAILURE_SENTENCES } from '#model/failure.ts';
import { ROUTES } from '#routes/all.ts';
import { ALL_OPTIONS } from '../../src/cli/commands.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

describe('README.md', () => {
  test('behavior: every route, variant and flag is in it', () => {
    for (const route of ROUTES) {
      expect(readme).toContain(`\`${route.path}\``);
      for (const variant of route.variants) expect(readme).toContain(`?${variant.name}=`);
    }
    for (const option of ALL_OPTIONS) expect(readme).toContain(`\`${option.long}`);
  });

  test('behavior: the table of hosts is as the adapters say', () => {
    expect(/<!-- hosts -->\n([\s\S]*?)<!-- \/hosts -->/.exec(readme)?.[1]).toBe(renderHostTable());
  });

  test('behavior: every failure code is in it, with its sentence, and no other', () => {
    const table = /<!-- failures -->\n\| code \| meaning \|\n\|---\|---\|\n([\s\S]*?)<!-- \/failures -->/.exec(
      readme,
    )?.[1];
    const rows = Object.entries(FAILURE_SENTENCES).map(([code, sentence]) => `| \`${code}\` | ${sentence} |\n`);
    expect(table).toBe(rows.join(''));
  });

  test('behavior: every npm script that it names is there', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const [, name = ''] of readme.matchAll(/npm run ([a-z:-]+)/g)) expect(scripts).toHaveProperty([name]);
  });
});
