// Tests the scripts in examples/node with the served sample.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { pathOf, runProgram } from '../support/example-scripts.ts';
import { MISSING, PENDING, PRESS, PRESSER, SILENT, WRAPPED } from '../support/sample.ts';
import { servedSample } from '../support/served-sample.ts';

const { base, body } = await servedSample();

const WHOLE = `${PRESSER}.whole-token`;
/** The URL of a server that is not running. */
const NOWHERE = 'http://127.0.0.1:9';

const portfolio = (...args: string[]) => runProgram(pathOf('examples/node/portfolio.mjs'), args);

test('portfolio.mjs prints a table of tokens', async () => {
  expect(await portfolio(base, PRESS, WHOLE, WRAPPED)).toEqual({
    status: 0,
    stderr: '',
    stdout: [
      'SYMBOL  NAME           DECIMALS  SUPPLY  PRINCIPAL',
      `PRESS   Press Token           6    1.25  ${PRESS}`,
      `WHOLE   Whole Token           0      21  ${WHOLE}`,
      `WTOK    Wrapped Token         8       -  ${WRAPPED}`,
      '',
    ].join('\n'),
  });
});

test.each([
  ['accepts a slash after the base URL', [`${base}/`, PRESS], 0, PRESS, ''],
  ['prints the usage with --help', ['--help'], 0, 'Usage: node portfolio.mjs <base URL> <principal> …', ''],
  ['fails without arguments', [], 1, '', 'Usage'],
])('%s', async (_name, args, status, output, errorOutput) => {
  const ran = await portfolio(...args);
  expect([ran.status, ran.stdout === '', ran.stderr === '']).toEqual([status, output === '', errorOutput === '']);
  expect(ran.stdout).toContain(output);
  expect(ran.stderr).toContain(errorOutput);
});

test('prints found tokens, and an error for the others', async () => {
  const { status, stdout, stderr } = await portfolio(base, MISSING, PRESS);
  expect(status).toBe(1);
  expect(stdout).toContain(PRESS);
  expect(stderr).toBe(`portfolio: ${MISSING}: The API has no such fungible token.\n`);
});

test.each([
  [
    'reports an invalid principal',
    'nonsense',
    'This is not a principal. principal must be <contract address>.<contract name>',
  ],
  ['reports a token in progress', PENDING, body<Record<string, string>>(`errors/422/metadata/v1/ft/${PENDING}`).error],
  ['reports a token error', SILENT, body<Record<string, string>>(`errors/422/metadata/v1/ft/${SILENT}`).message],
])('%s', async (_what, principal, message) => {
  expect(await portfolio(base, principal)).toEqual({
    status: 1,
    stdout: '',
    stderr: `portfolio: ${principal}: ${message}\n`,
  });
});

test('reports a missing server and a wrong base URL', async () => {
  expect((await portfolio(NOWHERE, PRESS)).stderr).toContain(`${NOWHERE} cannot be reached`);
  expect((await portfolio(`${base}/v9`, PRESS)).stderr).toContain('Check the base URL and the principal.');
  expect(await portfolio('example.org', PRESS)).toMatchObject({ status: 1, stdout: '' });
});

const callers = (...args: string[]) => runProgram(pathOf('examples/node/callers.mjs'), args);

test('callers.mjs prints the callers of a contract, and nothing for a contract without callers', async () => {
  const printed = { status: 0, stdout: `${PRESSER}.office set-token-uri\n`, stderr: '' };
  for (const url of [base, `${base}/`]) expect(await callers(url, `${PRESSER}.office-token`)).toEqual(printed);
  for (const contractId of [`${PRESSER}.office`, MISSING])
    expect(await callers(base, contractId)).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('callers.mjs reports a wrong base URL, a server without a build, and missing arguments', async () => {
  const failing = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
  onTestFinished(() => void failing.close());
  await once(failing, 'listening');
  const failed = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
  for (const [args, message] of [
    [[`${base}/v9`, MISSING], `${base}/v9 is not the base URL of a stxpress API`],
    [[failed, MISSING], 'returned status 503'],
    [[NOWHERE, MISSING], 'fetch failed'],
    [[base], 'Usage: node callers.mjs <base URL> <contract id>'],
    [[], 'Usage: node callers.mjs <base URL> <contract id>'],
  ] as const) {
    const { status, stdout, stderr } = await callers(...args);
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^callers: .+\n$/)]);
    expect(stderr).toContain(message);
  }
});
