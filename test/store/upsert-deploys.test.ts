import { expect, test } from 'vitest';
import { findNames } from '#clarity/find-names.ts';
import { packCode, unpackCode } from '#model/packed-code.ts';
import { CODE_COLUMNS, toPackedCode } from '#store/chain/code-columns.ts';
import { type NewDeploy, upsertDeploys } from '#store/chain/upsert-deploys.ts';
import { indexOfArchive } from '../support/index-of-archive.ts';
import { hashOf } from '../support/transactions.ts';

const { store } = await indexOfArchive();
const SOURCE = `;; größer\n${'(define-constant a u1)\n'.repeat(30)}`;
const INTERFACE = '{"functions":[],"name":"größer"}';

const deployOf = (name: string, source: string, interfaceJson?: string): NewDeploy => ({
  txId: hashOf(name),
  contractId: `SP1.${name}`,
  senderAddress: 'SP1',
  clarityVersion: undefined,
  epoch: undefined,
  standard: undefined,
  code: packCode(source, interfaceJson),
  references: findNames(Buffer.from(source), 'SP1'),
});

const upsert = (...deploys: NewDeploy[]) =>
  store.transaction().execute((transaction) => upsertDeploys(transaction, deploys));

async function codeOf(name: string) {
  const row = await store
    .selectFrom('deploy')
    .innerJoin('deploy_code', 'deploy_code.deploy_id', 'deploy.deploy_id')
    .select(CODE_COLUMNS)
    .where('contract_id', '=', `SP1.${name}`)
    .executeTakeFirstOrThrow();
  return unpackCode(toPackedCode(row));
}

test('adds a missing interface to a stored deploy, and keeps the source', async () => {
  const ids = await upsert(deployOf('a', SOURCE));
  expect(await codeOf('a')).toEqual({ source: SOURCE, interfaceJson: undefined });
  expect(await upsert(deployOf('a', '(other)', INTERFACE))).toEqual(ids);
  expect(await codeOf('a')).toEqual({ source: SOURCE, interfaceJson: INTERFACE });
});

test('keeps a stored interface', async () => {
  await upsert(deployOf('a', SOURCE, INTERFACE));
  await upsert(deployOf('a', SOURCE, '{"functions":[1]}'), deployOf('b', ''));
  await upsert(deployOf('a', SOURCE));
  expect(await codeOf('a')).toEqual({ source: SOURCE, interfaceJson: INTERFACE });
  expect(await codeOf('b')).toEqual({ source: '', interfaceJson: undefined });
});

test('merges the same deploy in one batch', async () => {
  await upsert(deployOf('known', 'known'));
  const deploys = [deployOf('a', SOURCE), deployOf('known', 'known', INTERFACE), deployOf('a', SOURCE, INTERFACE)];
  expect(new Set(await upsert(...deploys)).size).toBe(2);
  expect(await codeOf('a')).toEqual({ source: SOURCE, interfaceJson: INTERFACE });
  expect(await codeOf('known')).toEqual({ source: 'known', interfaceJson: INTERFACE });
});
