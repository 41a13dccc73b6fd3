// Tests that `stxpress show` prints the data that a build of the sample serves.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectRefused, runWarm } from '../support/run-cli.ts';
import { buildSample, COLLECTOR, filesBelow, indexSample, PRESSER } from '../support/sample.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';

const cwd = tempFolderForFile();
const read = (path: string) => JSON.parse(readFileSync(join(cwd, 'dist', path), 'utf8')) as Record<string, unknown>;
const run = (...args: string[]) => runWarm(args, { cwd });
const show = async (id: string) => {
  const { status, stdout } = await run('show', id);
  expect(status).toBe(0);
  return stdout.replaceAll(/ +/g, ' ');
};
const showJson = async (id: string) => JSON.parse((await run('show', id, '--json')).stdout) as Record<string, unknown>;

beforeAll(async () => {
  mkdirSync(join(cwd, 'data'));
  await indexSample(join(cwd, 'data/index.sqlite'));
  await buildSample(join(cwd, 'dist'));
});

describe('stxpress show', () => {
  test('prints the data of each contract as a build serves it', async () => {
    const files = filesBelow(join(cwd, 'dist'));
    for (const id of files.flatMap((path) => /^extended\/v1\/contract\/(.*)/.exec(path)?.[1] ?? [])) {
      const shown = await showJson(id);
      const { source_code, abi, ...info } = read(`extended/v1/contract/${id}`);
      expect(shown).toMatchObject({ ...info, source_bytes: Buffer.byteLength(String(source_code)) });
      const path = `metadata/v1/ft/${id}`;
      const served = files.includes(path)
        ? { status: 200, body: read(path) }
        : files.includes(`errors/422/${path}`)
          ? { status: 422, body: read(`errors/422/${path}`) }
          : undefined;
      expect(shown.response).toEqual(served);
      const status = `metadata/v1/status/${id}`;
      expect(shown.status).toEqual(files.includes(status) ? read(status) : undefined);
    }
  });

  test('prints the source of each value, and the reason for each missing one', async () => {
    const whole = await show(`${PRESSER}.whole-token`);
    expect(whole).toContain(`${PRESSER}.whole-token: SIP-010, partial\n`);
    expect(whole).toContain(' name "Whole Token"; from the Clarity VM at block 2; 0 calls replayed\n');
    expect(whole).toContain(' total supply "21"; mints minus burns\n');
    expect(whole).toContain(' token uri none; from the Clarity VM at block 2;');
    expect(whole).toContain(' document failed; no-uri: The token has no metadata URI.\n');
    expect(await show(`${PRESSER}.press-token`)).toContain(' locales en, de, pt-BR\n');
    expect(await show(`${PRESSER}.pending-token`)).toContain(' name not served yet; from the Clarity VM at block 6;');
    const silent = read(`metadata/v1/status/${PRESSER}.silent-token`) as { failure: { code: string; message: string } };
    expect(await show(`${PRESSER}.silent-token`)).toContain(
      ` failure ${silent.failure.code}: ${silent.failure.message}`,
    );
  });

  test('describes collections, and contracts that are not tokens', async () => {
    const [collection = ''] = filesBelow(join(cwd, 'dist/metadata/v1/nft')).flatMap(
      (path) => /^(ST[^/]+)/.exec(path) ?? [],
    );
    expect(await show(collection)).toMatch(/SIP-009, complete\n[\s\S]* tokens \d+: \d+ complete, 0 partial/);
    expect(await show(`${PRESSER}.every-type`)).toContain(
      ' no token The interface lacks functions or assets of SIP-009, SIP-010 and SIP-013.',
    );
    expect(await show(`${COLLECTOR}.unconfirmed`)).toMatch(/^ deployed not confirmed by an anchor block, /m);
    expect(await show(`${PRESSER}.orphan`)).toMatch(/^ deployed block 5, .*, not canonical$/m);
  });

  test('accepts ids in all copied forms that the explorer accepts', async () => {
    const id = `${PRESSER}.press-token`;
    for (const form of [`'${id}`, `${id}::press`, id.toLowerCase()])
      expect(await show(form)).toContain(`${id}: SIP-010, complete\n`);
  });

  test('reports usage', async () => {
    expectRefused(await run('show', `${PRESSER}.nobody`), `has no contract ${PRESSER}.nobody.`);
    const advice = 'Use <contract address>.<contract name>. The explorer of a build finds contracts by name.';
    expectRefused(await run('show', 'press'), `"press" is not a contract id. ${advice}`);
  });
});
