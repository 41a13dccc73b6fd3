import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '#cli/commands.ts';
import { ROUTES } from '#routes/all.ts';
import { listParameters } from '#routes/route.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { fillPart, generatedParts } from '../../scripts/make-docs.ts';
import { okOf, runWarm } from '../support/run-cli.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAX_README_LINES = 90;

const MAIN_PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
];
/** The pages of the documentation. Their links, files and commands are checked. */
const PAGES = [
  ...MAIN_PAGES,
  'src/README.md',
  'test/real-data/README.md',
  'examples/README.md',
  'examples/cloudflare/README.md',
  'examples/nginx/README.md',
];
const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const readme = textOf('README.md');

/** Returns the anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...withoutCode(textOf(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Removes blocks of code, in which a line that begins with `#` is not a heading. */
function withoutCode(text: string): string {
  return text.replaceAll(/^ *```.*\n[\s\S]*?^ *```$/gm, '');
}

const helps = new Map<string, string>();
for (const { name } of COMMANDS) helps.set(name, okOf(await runWarm([name, '--help'], { cwd: ROOT })));

/** Returns the long options that the help of a command lists. */
function optionsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option = '']) => option);
}

describe('README.md', () => {
  test(`has at most ${MAX_README_LINES} lines`, () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
  });
});

test('CONTRIBUTING.md gives a reason for each dependency', () => {
  const [, table = '', developmentTable = ''] = textOf('CONTRIBUTING.md').split('| package | reason |\n|---|---|\n');
  const namesIn = (rows: string) =>
    [...rows.matchAll(/^\| (.+?) \| .+ \|$/gm)].flatMap(([, names = '']) => names.split(', '));
  expect(namesIn(table)).toEqual(Object.keys(packageJson.dependencies));
  expect(namesIn(developmentTable).toSorted()).toEqual(Object.keys(packageJson.devDependencies));
});

describe('docs/', () => {
  test('extending.md names existing modules and identifiers', () => {
    const page = textOf('docs/extending.md');
    const files = ['src', 'scripts', 'test'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    );
    for (const [, name = ''] of page.matchAll(/`([\w./-]+\.(?:tsx?|mjs|sh))`/g))
      expect(
        files.some((file) => `/${file}`.endsWith(`/${name}`)),
        name,
      ).toBe(true);
    const source = files
      .filter((file) => /^src\/.*\.tsx?$/.test(file))
      .map(textOf)
      .join('\n');
    for (const [, name = ''] of page.matchAll(/`([a-z]+[A-Z]\w*|[A-Z]\w+)`/g))
      expect(new RegExp(`\\b${name}\\b`).test(source), name).toBe(true);
  });

  test('api.md lists every route and its query parameters', () => {
    for (const route of ROUTES) {
      const [row] = textOf('docs/api.md')
        .split('\n')
        .filter((line) => line.startsWith(`| \`${route.path}\` |`));
      expect(row, route.path).toBeDefined();
      for (const { name } of route.variants ?? []) expect(row).toContain(`?${name}=`);
      for (const name of route.list === undefined ? [] : listParameters(route.list))
        expect(row).toContain(`\`?${name}=\``);
    }
  });

  test('error bodies in api.md are those of the sample', () => {
    const folder = join(ROOT, 'test/expected/sample/errors');
    const bodies = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => JSON.stringify(JSON.parse(readFileSync(join(entry.parentPath, entry.name), 'utf8'))));
    const documented = [...textOf('docs/api.md').matchAll(/\| `(\{"error":[^`]*\})`/g)].map(([, body = '']) => body);
    expect(documented.length).toBeGreaterThan(10);
    for (const body of documented) {
      const [start = '', end = ''] = body.split('…');
      expect(
        bodies.some((text) => text.startsWith(start) && text.endsWith(end)),
        body,
      ).toBe(true);
    }
  });

  test.each(generatedParts())('$name in $page equals the output of `npm run make-docs`', (part) => {
    expect(textOf(part.page)).toBe(fillPart(textOf(part.page), part));
  });

  test('the index lists every page', () => {
    const index = textOf('docs/README.md');
    for (const page of MAIN_PAGES.filter((name) => /^docs\/(?!README)/.test(name)))
      expect(index).toContain(`](${page.replace('docs/', '')})`);
  });
});

describe.each(PAGES)('%s', (page) => {
  const text = textOf(page);

  test('relative links lead to an existing file and heading', () => {
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      expect(existsSync(join(ROOT, file)), target).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(file), target).toContain(anchor);
    }
  });

  test('named files of the project exist', () => {
    const paths = /[`\s]((?:src|test|scripts|examples|data\/sample)\/[\w./-]+)(?=[`\s])/g;
    for (const [, path = ''] of text.matchAll(paths)) expect(existsSync(join(ROOT, path)), path).toBe(true);
  });

  test('named npm scripts exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    for (const [, name = ''] of text.matchAll(/npm run (?:-\S+ )*([a-z:-]+)/g)) expect(scripts).toHaveProperty([name]);
  });

  test('shown commands use only existing options', () => {
    const commands = text.matchAll(/(?:npm run (?:-s )?|stxpress(?:\.mjs)? )([a-z]+) ([^\n`#]*)/g);
    for (const [command, name = '', rest = ''] of commands) {
      const help = helps.get(name);
      if (help === undefined) continue;
      for (const [option] of rest.matchAll(/--[a-z-]+/g)) expect(optionsIn(help), command).toContain(option);
    }
    const all = [...helps.values()].flatMap(optionsIn);
    for (const [, option = ''] of withoutCode(text).matchAll(/`(--[a-z-]+)[^`]*`/g))
      expect(all, option).toContain(option);
  });
});
