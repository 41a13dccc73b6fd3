// The Node script of the examples, run against the served sample.
import { expect, test } from 'vitest';
import { pathOf, runProgram } from '../support/example-scripts.ts';
import { MISSING, PENDING, PRESS, PRESSER, SILENT, WRAPPED } from '../support/sample.ts';
import { servedSample } from '../support/served-sample.ts';

const { base, body } = await servedSample();

const WHOLE = `${PRESSER}.whole-token`;
/** Of a server that is not there. */
const NOWHERE = 'http://127.0.0.1:9';

const portfolio = (...args: string[]) => runProgram(pathOf('examples/node/portfolio.mjs'), args);

test('default', async () => {
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
  ['a slash after the base URL is no matter', [`${base}/`, PRESS], 0, PRESS, ''],
  ['--help', ['--help'], 0, 'Usage: node portfolio.mjs <base URL> <principal> …', ''],
  ['error: no arguments', [], 1, '', 'Usage'],
])('behavior: %s', async (_what, args, status, printed, complained) => {
  const ran = await portfolio(...args);
  expect([ran.status, ran.stdout === '', ran.stderr === '']).toEqual([status, printed === '', complained === '']);
  expect(ran.stdout).toContain(printed);
  expect(ran.stderr).toContain(complained);
});

test('behavior: what is found is printed beside what is not', async () => {
  const { status, stdout, stderr } = await portfolio(base, MISSING, PRESS);
  expect(status).toBe(1);
  expect(stdout).toContain(PRESS);
  expect(stderr).toBe(`portfolio: ${MISSING}: There is no such fungible token here.\n`);
});

test.each([
  ['no principal', 'nonsense', 'This is no principal. principal must be <contract address>.<contract name>'],
  ['in progress', PENDING, body<Record<string, string>>(`errors/422/metadata/v1/ft/${PENDING}`).error],
  ['a token error', SILENT, body<Record<string, string>>(`errors/422/metadata/v1/ft/${SILENT}`).message],
])('error: %s', async (_what, principal, message) => {
  expect(await portfolio(base, principal)).toEqual({
    status: 1,
    stdout: '',
    stderr: `portfolio: ${principal}: ${message}\n`,
  });
});

test('error: the server is not there, or the base URL is wrong', async () => {
  expect((await portfolio(NOWHERE, PRESS)).stderr).toContain(`${NOWHERE} cannot be reached`);
  expect((await portfolio(`${base}/v9`, PRESS)).stderr).toContain('Are the base URL and the principal right?');
  expect(await portfolio('example.org', PRESS)).toMatchObject({ status: 1, stdout: '' });
});

test('behavior: callers.mjs prints who calls a contract, and nothing of one that nobody calls', async () => {
  const callers = (contractId: string) => runProgram(pathOf('examples/node/callers.mjs'), [base, contractId]);
  const called = `${PRESSER}.office-token`;
  expect(await callers(called)).toEqual({ status: 0, stdout: `${PRESSER}.office set-token-uri\n`, stderr: '' });
  expect(await callers(`${PRESSER}.office`)).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(await callers(MISSING)).toEqual({ status: 0, stdout: '', stderr: '' });
});
