// The scripts of the examples: with recording stubs, or what they run in this process.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { pathOf, read, runScript, strangeFlags, stubCommands } from '../support/example-scripts.ts';
import { expectedSample, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const INDEX_CALL =
  'npm run --silent index -- --db data/mainnet.sqlite --api-url https://api.hiro.so --discover ft --max-age 7d';
describe.each([
  ['nginx', ['nginx -t', 'nginx -s reload']],
  ['cloudflare', ['npx --yes wrangler@4 deploy --config dist-hosts/cloudflare/wrangler.jsonc']],
])('examples/%s/deploy.sh', (host, deploys) => {
  const script = pathOf(`examples/${host}/deploy.sh`);
  const calls = [INDEX_CALL, `npm run --silent build -- --db data/mainnet.sqlite --host ${host}`, ...deploys];
  const stubs = () => stubCommands('npm', 'npx', 'nginx', 'sudo', 'wrangler');

  test('default', () => {
    expect(stubs()([script])).toEqual({ status: 0, stderr: '', calls });
    expect(statSync(script).mode & 0o111).toBe(0o111);
    expect(strangeFlags(read(`examples/${host}/deploy.sh`))).toEqual([]);
    expect(read(`examples/${host}/README.md`)).toContain(`examples/${host}/deploy.sh`);
  });

  test('behavior: arguments go to the build, settings to both', () => {
    const env = { STXPRESS_DB: 'my index.sqlite', STXPRESS_API_URL: 'http://localhost:3999', STXPRESS_MAX_AGE: '12h' };
    const ran = stubs()([script, '--only', 'tokens'], { env });
    expect(ran.calls.slice(0, 2)).toEqual([
      'npm run --silent index -- --db my index.sqlite --api-url http://localhost:3999 --discover ft --max-age 12h',
      `npm run --silent build -- --db my index.sqlite --host ${host} --only tokens`,
    ]);
  });

  test('behavior: it stops at the first step that fails, and only the index may leave work', () => {
    const run = stubs();
    for (const [index, call] of calls.entries())
      expect(run([script], { fails: call, status: 3 })).toMatchObject({ status: 3, calls: calls.slice(0, index + 1) });
    expect(run([script], { fails: 'silent index', status: 75 })).toEqual({ status: 0, stderr: '', calls });
    const left = { status: 75, calls: calls.slice(0, 2) };
    expect(run([script], { fails: 'silent build', status: 75 })).toMatchObject(left);
  });
});

test('examples/kubernetes: what the jobs run makes the site', async () => {
  interface Container {
    readonly command: string[];
    readonly args: [string];
    readonly env: object[];
  }
  const manifest = (name: string) => {
    const text = read(`examples/kubernetes/${name}`);
    expect(strangeFlags(text)).toEqual([]);
    const { spec } = parse(text) as {
      spec: { completions: number; template: { spec: { containers: readonly [Container] } } };
    };
    const [container] = spec.template.spec.containers;
    expect(container.command).toEqual(['/bin/sh', '-euc']);
    return { completions: spec.completions, ...container };
  };
  const cwd = tempFolder();
  const [shards, merge] = [manifest('shards.yaml'), manifest('merge.yaml')];
  expect(shards.env).toContainEqual({ name: 'SHARDS', value: String(shards.completions) });
  const env = { SHARDS: '2', ARCHIVE: SAMPLE_ARCHIVE, TARGET: `file:${cwd}/site` };
  for (const index of ['0', '1']) await runScript(shards.args[0], { ...env, JOB_COMPLETION_INDEX: index }, cwd);
  await runScript(merge.args[0], env, cwd);
  // What needs no VM, which the sample's tokens do.
  const contracts = [...expectedSample()].filter(([path]) => /^(extended|v2|search\/contracts)\//.test(path));
  expect(contracts.length).toBeGreaterThan(20);
  for (const [path, text] of contracts) expect(readFileSync(join(cwd, 'site', path), 'utf8')).toBe(text);
  expect(existsSync(join(cwd, 'site/index.html'))).toBe(true);
});
