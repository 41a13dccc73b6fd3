// The Node script of the examples, run against the served sample.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COLLECTOR, expectedSample, PRESSER } from '../support/sample.ts';
import { servedSample } from '../support/served-sample.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

const { base } = await servedSample();

const PRESS = `${PRESSER}.press-token`;
const PENDING = `${PRESSER}.pending-token`;
const SILENT = `${PRESSER}.silent-token`;
const WHOLE = `${PRESSER}.whole-token`;
const WRAPPED = `${COLLECTOR}.wrapped-token`;
const MISSING = 'SP000000000000000000002Q6VF78.nothing';
/** Of a server that is not there. */
const NOWHERE = 'http://127.0.0.1:9';

/** The expected body of a path. */
const body = (path: string) => JSON.parse(expectedSample().get(path) ?? '') as Record<string, string>;

const portfolio = async (...args: string[]) => {
  const child = spawn(process.execPath, [join(EXAMPLES, 'node/portfolio.mjs'), ...args]);
  const [stdout, stderr] = await Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  return { status: child.exitCode ?? (await new Promise((resolve) => child.once('close', resolve))), stdout, stderr };
};

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

test('behavior: a slash after the base URL is no matter', async () => {
  expect((await portfolio(`${base}/`, PRESS)).status).toBe(0);
});

test('behavior: --help', async () => {
  const { status, stdout, stderr } = await portfolio('--help');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Usage: node portfolio.mjs <base URL> <principal> …');
});

test('behavior: what is found is printed beside what is not', async () => {
  const { status, stdout, stderr } = await portfolio(base, MISSING, PRESS);
  expect(status).toBe(1);
  expect(stdout).toContain(PRESS);
  expect(stderr).toBe(`portfolio: ${MISSING}: There is no such fungible token here.\n`);
});

test.each([
  ['no principal', 'nonsense', 'This is no principal. principal must be <contract address>.<contract name>'],
  ['in progress', PENDING, body(`errors/422/metadata/v1/ft/${PENDING}`).error],
  ['a token error', SILENT, body(`errors/422/metadata/v1/ft/${SILENT}`).message],
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

test('error: no arguments', async () => {
  const { status, stdout, stderr } = await portfolio();
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('Usage');
});

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}
