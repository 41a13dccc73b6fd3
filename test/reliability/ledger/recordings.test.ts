// Checks that each recording of the ledger is needed. Without its triggers, a write to its table leaves an incremental
// build with an outdated file.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openIndex, type Store } from '#store/index-database.ts';
import { apply, at } from '../../support/chain-index.ts';
import { COLLECTION_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { deployJson } from '../../support/transactions.ts';
import { firstDifference, RenderedSite, renderFull } from './rendered-site.ts';

const COPY = 'a'.repeat(64);
const [IMAGE, OTHER_IMAGE] = ['https://x.test/1.png', 'https://x.test/2.png'];
const DEPLOYS = [
  ['coin', '(print u1)', TOKEN_INTERFACE],
  ['things', '(define-public (f) (contract-call? .coin transfer))', COLLECTION_INTERFACE],
] as const;

/** Adds the values of the coin, and a thing whose document has an image. */
const ROWS = [
  `delete from job`,
  `update token set state = 'complete', supply_assets = (select json_array(contract_id || '::coin')
    from contract where contract.deploy_id = token.deploy_id and contract.deploy_id = 1)`,
  `insert into job (kind, token_id) select 'fetch-document', token_id from token where deploy_id = 1`,
  `insert into token (token_id, deploy_id, token_number, state)
    select 9, deploy_id, '1', 'complete' from deploy where standard = 'sip-009'`,
  `insert into collection (deploy_id, tokens, minted, left_out)
    select deploy_id, 1, 1, 0 from deploy where standard = 'sip-009'`,
  `insert into reading (token_id, getter, source, rank, height, value)
    select token_id, getter, 'vm', 1, 1, value from served_token
    cross join (select 'get-name' as getter, 'Coin' as value union select 'get-decimals', '6')
    where standard = 'sip-010'`,
  `insert into document (token_id, locale, uri, document)
    select token_id, '', 'https://x.test/1', json_object('name', 'Thing', 'image', '${IMAGE}') from token
    where token_id = 9 or deploy_id = 1`,
  `insert into image (uri, sha256, extension) values ('${IMAGE}', '${COPY}', 'png')`,
  `insert into image_file (name, bytes, sha256) values ('${COPY}.png', 7, '${'c'.repeat(64)}')`,
];

async function seeded(): Promise<Store> {
  const store = await openIndex(':memory:');
  const deploys = DEPLOYS.map(([name, source, json], nonce) =>
    deployJson(name, source, { clarityVersion: 2, nonce, interface: json }),
  );
  await apply(store, [at(1, deploys)]);
  for (const statement of ROWS) await sql.raw(statement).execute(store);
  return store;
}

async function triggersOf(store: Store, recording: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'trigger' and name glob ${`ledger_${recording}_[idu]*ed`}`.execute(
    store,
  );
  return rows.map(({ name }) => name);
}

/** A write to the table of each recording that only this recording notices. */
const WRITES: Readonly<Record<string, string | ((store: Store) => Promise<unknown>)>> = {
  contract_of_contract: `update contract set block_height = 2`,
  contract_of_deploy: `update deploy set sender_address = 'SP000000000000000000002Q6VF78'`,
  contract_of_deploy_code: `update deploy_code set (interface_bytes, source_bytes, code) =
    (select interface_bytes, source_bytes, code from deploy_code order by deploy_id desc)`,
  graph_of_deploy: `update deploy set source_hash = (select source_hash from deploy order by deploy_id desc)`,
  token_of_token: `update token set state = 'error', failure_code = 'bug'`,
  token_of_reading: `update reading set value = '7'`,
  status_only_of_reading: `update reading set height = 0`,
  status_only_of_lookalike: `insert into lookalike select token_id, 9, 9 from token where token_id < 9`,
  token_of_document: `update document set document = json_set(document, '$.name', 'Another')`,
  token_of_image: `update image set sha256 = null, extension = null, failure_code = 'http-404'`,
  token_of_asset_supply: `insert into asset_supply select contract_id || '::coin', '5' from contract`,
  collection_of_collection: `update collection set left_out = 1`,
  collection_of_chain_failure: `insert into chain_failure select 'mints-not-recorded', contract_id, 'x' from contract`,
  status_only_of_job: `insert into job (kind, token_id, getters) select 'read-values', token_id, '["get-name"]' from token`,
  image_of_image: `update image set sha256 = '${'b'.repeat(64)}'`,
  image_of_image_file: `update image_file set sha256 = '${'d'.repeat(64)}'`,
  image_of_document: `update document set document = json_set(document, '$.image', '${OTHER_IMAGE}')
    where token_id = 9`,
  image_of_contract: `update contract set canonical = 0`,
  status_of_report: `insert into report (contract_id, failure_code, tip_height) values ('a', 'bug', 9)`,
  status_of_info: (store) => apply(store, [at(2, [])], { newChainId: undefined }),
  status_of_contract: (store) => apply(store, [at(2, [deployJson('new', '(print u2)', { nonce: 9 })])]),
};

test('has a write for each recording', async () => {
  const store = await seeded();
  const all = await triggersOf(store, '*');
  await store.destroy();
  const recordings = new Set(all.map((name) => name.replace(/^ledger_(.*)_[a-z]+$/, '$1')));
  expect(Object.keys(WRITES).sort()).toEqual([...recordings].sort());
});

test.each(Object.entries(WRITES))('%s is needed, and suffices', async (recording, write) => {
  for (const isDropped of [false, true]) {
    const store = await seeded();
    const site = new RenderedSite();
    await site.update(store);
    if (isDropped)
      for (const name of await triggersOf(store, recording)) await sql`drop trigger ${sql.id(name)}`.execute(store);
    await (typeof write === 'string' ? sql.raw(write).execute(store) : write(store));
    await site.update(store);
    const difference = firstDifference(site.files, await renderFull(store));
    await store.destroy();
    if (isDropped) expect(difference).toBeDefined();
    else expect(difference).toBeUndefined();
  }
});
