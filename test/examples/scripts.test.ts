// Tests the deploy scripts of the examples. Stubs replace the commands and record how they are called.
import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pathOf, read, stubCommands, unsupportedFlags } from '../support/example-scripts.ts';

const INDEX_CALL =
  'npm run --silent index -- --db data/mainnet.sqlite --api-url https://api.hiro.so --discover ft --max-age 7d';
describe.each([
  ['nginx', ['nginx -t', 'nginx -s reload']],
  ['cloudflare', ['npx --yes wrangler@4 deploy --config dist-hosts/cloudflare/wrangler.jsonc']],
])('examples/%s/deploy.sh', (host, deploys) => {
  const script = pathOf(`examples/${host}/deploy.sh`);
  const calls = [INDEX_CALL, `npm run --silent build -- --db data/mainnet.sqlite --hosts ${host}`, ...deploys];
  const stubs = () => stubCommands('npm', 'npx', 'nginx', 'sudo', 'wrangler');

  test('default', () => {
    expect(stubs()([script])).toEqual({ status: 0, stderr: '', calls });
    expect(statSync(script).mode & 0o111).toBe(0o111);
    expect(unsupportedFlags(read(`examples/${host}/deploy.sh`))).toEqual([]);
    expect(read(`examples/${host}/README.md`)).toContain(`examples/${host}/deploy.sh`);
  });

  test('passes arguments to the build, and settings to index and build', () => {
    const env = { STXPRESS_DB: 'my index.sqlite', STXPRESS_API_URL: 'http://localhost:3999', STXPRESS_MAX_AGE: '12h' };
    const ran = stubs()([script, '--only', 'tokens'], { env });
    expect(ran.calls.slice(0, 2)).toEqual([
      'npm run --silent index -- --db my index.sqlite --api-url http://localhost:3999 --discover ft --max-age 12h',
      `npm run --silent build -- --db my index.sqlite --hosts ${host} --only tokens`,
    ]);
  });

  test('stops at the first failed step, and accepts status 75 only from the index', () => {
    const run = stubs();
    for (const [index, call] of calls.entries())
      expect(run([script], { fails: call, status: 3 })).toMatchObject({ status: 3, calls: calls.slice(0, index + 1) });
    expect(run([script], { fails: 'silent index', status: 75 })).toEqual({ status: 0, stderr: '', calls });
    const left = { status: 75, calls: calls.slice(0, 2) };
    expect(run([script], { fails: 'silent build', status: 75 })).toMatchObject(left);
  });
});
