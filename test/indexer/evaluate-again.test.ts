// Tokens must be evaluated again when the VM changes, or when the tip enters a new epoch.
import { expect, test } from 'vitest';
import { readInfo, writeInfo } from '#store/index-info.ts';
import { VM_VERSION } from '#vm/vm-version.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { indexOfServers, parse } from '../support/index-of-servers.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { tokenSource } from '../support/token-source.ts';
import { blockLine, deployJson } from '../support/transactions.ts';

const token = deployJson('token', tokenSource(), { clarityVersion: 2, interface: TOKEN_INTERFACE });
const lines = [
  blockLine({ id: 'b0', parent: 'none', height: 0, burnHeight: 960_228, transactions: [token] }),
  blockLine({ id: 'b1', parent: 'b0', height: 1, burnHeight: 960_229 }),
  blockLine({ id: 'b2', parent: 'b1', height: 2, burnHeight: 960_230 }),
];

test('evaluates again with another version of the VM', async () => {
  const world = await indexOfServers([]);
  const options = { archives: [world.archive(lines)], source: undefined, vm: true };
  expect(await world.run(options)).toMatchObject({ evaluated: 1 });
  expect(await world.run(options)).toMatchObject({ evaluated: 0 });
  await writeInfo(world.store, { vmVersion: '@stacks/clarinet-sdk-wasm 3.17.0' });
  expect(await world.run({ ...options, vm: false })).toMatchObject({ evaluated: 0 });
  expect(await world.run(options)).toMatchObject({ evaluated: 1 });
  expect(await readInfo(world.store)).toMatchObject({ vmVersion: VM_VERSION });
  expect(parse(await world.build(), 'metadata/v1/index.json')).toMatchObject({ vm_version: VM_VERSION });
});

test('evaluates again when the tip enters another epoch', async () => {
  const world = await indexOfServers([]);
  const run = (blocks: number) =>
    world.run({ archives: [world.archive(lines.slice(0, blocks))], source: undefined, vm: true });
  expect(await run(1)).toMatchObject({ evaluated: 1 });
  expect(await run(2)).toMatchObject({ evaluated: 0 });
  expect(await run(3)).toMatchObject({ evaluated: 1 });
});

test('pins packages that affect output bytes', () => {
  const versions = { ...packageJson.dependencies, ...packageJson.devDependencies };
  expect(VM_VERSION).toBe(`@stacks/clarinet-sdk-wasm ${versions['@stacks/clarinet-sdk-wasm']}`);
  for (const name of ['sharp', 'esbuild', 'preact', 'zod', 'json5', 'swagger-ui-dist', '@stacks/transactions'] as const)
    expect(versions[name]).toMatch(/^\d+\.\d+\.\d+$/);
});
