import { expect, test } from 'vitest';
import { findCalls } from '#clarity/find-calls.ts';
import { packCode, unpackCode } from '#model/packed-code.ts';
import { CODE_COLUMNS, toPackedCode } from '#store/chain/code-columns.ts';
import { type NewDeploy, upsertDeploys } from '#store/chain/upsert-deploys.ts';
import type { Store } from '#store/index-database.ts';
import { newIndex } from '../support/archives.ts';
import { hashOf } from '../support/observer-lines.ts';

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
  references: findCalls(Buffer.from(source), 'SP1'),
});

const upsert = (store: Store, ...deploys: NewDeploy[]) =>
  store.transaction().execute((transaction) => upsertDeploys(transaction, deploys));

async function codeOf(store: Store, name: string) {
  const row = await store
    .selectFrom('deploy')
    .innerJoin('deploy_code', 'deploy_code.deploy_id', 'deploy.deploy_id')
    .select(CODE_COLUMNS)
    .where('contract_id', '=', `SP1.${name}`)
    .executeTakeFirstOrThrow();
  return unpackCode(toPackedCode(row));
}

test('behavior: told again with an interface, a deploy without one takes it and keeps its source', async () => {
  const store = await newIndex();
  const ids = await upsert(store, deployOf('a', SOURCE));
  expect(await codeOf(store, 'a')).toEqual({ source: SOURCE, interfaceJson: undefined });
  expect(await upsert(store, deployOf('a', '(other)', INTERFACE))).toEqual(ids);
  expect(await codeOf(store, 'a')).toEqual({ source: SOURCE, interfaceJson: INTERFACE });
});

test('behavior: an interface that is known stays, and one that is missing takes none away', async () => {
  const store = await newIndex();
  await upsert(store, deployOf('a', SOURCE, INTERFACE));
  await upsert(store, deployOf('a', SOURCE, '{"functions":[1]}'), deployOf('b', ''));
  await upsert(store, deployOf('a', SOURCE));
  expect(await codeOf(store, 'a')).toEqual({ source: SOURCE, interfaceJson: INTERFACE });
  expect(await codeOf(store, 'b')).toEqual({ source: '', interfaceJson: undefined });
});

test('behavior: twice in one batch, beside others', async () => {
  const store = await newIndex();
  await upsert(store, deployOf('known', 'known'));
  const deploys = [deployOf('a', SOURCE), deployOf('known', 'known', INTERFACE), deployOf('a', SOURCE, INTERFACE)];
  expect(new Set(await upsert(store, ...deploys)).size).toBe(2);
  expect(await codeOf(store, 'a')).toEqual({ source: SOURCE, interfaceJson: INTERFACE });
  expect(await codeOf(store, 'known')).toEqual({ source: 'known', interfaceJson: INTERFACE });
});
