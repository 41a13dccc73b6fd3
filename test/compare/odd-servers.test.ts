// Tests `stxpress compare` with a server that cannot be reached, that is not an API, or that sends too many bytes.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeComparison } from '#cli/describe-comparison.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { runWarm } from '../support/run-cli.ts';
import { indexSample } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const NO_API = /^stxpress: \S+ It has neither v2\/info nor metadata\/v1\/\. Use [^\n]*\n$/;

test.each([
  ['cannot be reached', undefined, /^stxpress: http:\/\/127\.0\.0\.1:\d+: [^\n]*\n$/],
  ['is not an API', 404, NO_API],
  ['is a page', 200, NO_API],
  ['requires a key', 401, /^stxpress: \S+ \S+ responded with status 401: Not Found\. Check --api-key\.\n$/],
  [
    'redirects',
    302,
    /^stxpress: \S+ \S+ responded with status 302: Not Found\. It redirects to http:\/\/a\.example\. Pass/,
  ],
] as const)('prints one line about a server that %s', async (_, answer, message) => {
  const folder = tempFolder();
  await indexSample(join(folder, 'index.sqlite'));
  const server = await loopbackServer((_request, response) => {
    if (answer === undefined) response.destroy();
    else response.writeHead(answer, { location: 'http://a.example/v2/info' }).end('Not Found');
  });
  const { status, stdout, stderr } = await runWarm(['compare', server.url, '--db', 'index.sqlite'], { cwd: folder });
  expect([status, stdout]).toEqual([answer === undefined ? 75 : 1, '']);
  expect(stderr).toMatch(message);
});

test('prints few lines about 200,000 differing members, and rejects deeply nested JSON', async () => {
  const field = (index: number) => ({ field: `member-${index}`, verdict: 'ours-missing' as const });
  const fields = Array.from({ length: 200_000 }, (_, index) => field(index));
  const answer = { path: 'a', route: 'a', verdict: 'ours-missing' as const, compared: fields.length, fields };
  const tip = { ours: 7, theirs: 7 };
  const shown = describeComparison({ url: 'http://a', tip, responses: [answer], failures: [] });
  expect(shown.split('\n').length).toBeLessThan(100);

  const folder = tempFolder();
  await indexSample(join(folder, 'index.sqlite'));
  const deep = `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const server = await loopbackServer(({ url }, response) =>
    response.end(url === '/v2/info' ? '{"stacks_tip_height":7}' : deep),
  );
  const args = ['compare', server.url, '--db', 'index.sqlite', '--sample', '3'];
  const { status, stdout } = await runWarm(args, { cwd: folder });
  expect(status).toBe(1);
  expect(stdout).toMatch(/ and 2 more: source-invalid: The server returned JSON that is nested too deeply\.\n$/);
});
