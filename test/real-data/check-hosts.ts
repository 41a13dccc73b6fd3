// This script checks hosts with mainnet's names and tokens: node test/real-data/check-hosts.ts FOLDER [TOKENS]
// A site with every name of FOLDER/mainnet/principals.txt.gz must be refused for the hosts whose limits it breaks,
// before a file is written; the official clients then read TOKENS (300) tokens of FOLDER/mainnet/contracts.ndjson.gz
// from nginx, with the configuration that the build wrote. `npm run conformance` installs nginx.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createClient as createTokenClient } from '@hirosystems/token-metadata-api-client';
import { createClient as createApiClient } from '@stacks/blockchain-api-client';
import { fetchAbi } from '@stacks/transactions';
import { nginx } from '../conformance/servers/nginx.ts';
import { chainListener, chainOf, type LiveContract } from '../support/chain-listener.ts';
import { NAMES_FILE, writeNamesArchive } from './all-names.ts';
import { type Checks, runChecks } from './checks.ts';
import { callReal, isRealToken, readRealContracts } from './real-contracts.ts';

await runChecks('check-hosts.ts FOLDER [TOKENS]', NAMES_FILE, async (checks) => {
  await checkLimits(checks);
  await checkClients(checks);
});

async function checkLimits({ given, work, check, run, ok }: Checks): Promise<void> {
  await writeNamesArchive(join(work, 'names.tsv'), given);
  await ok('index', '--db', 'names.sqlite', '--archive', 'names.tsv', '--no-vm', '--no-fetch', '--quiet');

  for (const [host, limit] of [
    ['netlify', '54,000 files in a folder'],
    ['cloudflare', '100,000 files'],
    ['vercel', '15,000 files'],
  ] as const) {
    const built = await run('build', '--db', 'names.sqlite', '--out', host, '--host', host);
    check(`${host} refuses all of mainnet`, built.status === 1, `exit ${built.status}`);
    check(`${host} names its limit`, built.stderr.includes(limit), built.stderr);
    const left = readdirSync(work).filter((name) => name.startsWith(host));
    check(`nothing is written for ${host}`, left.length === 0, left.join(', '));
    console.log(`${host}: ${built.stderr.trim()}`);
  }
  for (const host of ['cloudflare', 'netlify']) {
    // The way out that the message names.
    await ok('build', '--db', 'names.sqlite', '--out', `tokens-${host}`, '--host', host, '--only', 'tokens');
  }
}

/** Clients that were not written for stxpress, on nginx. */
async function checkClients({ given, more: [count = '300'], work, check, ok }: Checks): Promise<void> {
  const tokens = readRealContracts(given).filter(isRealToken).slice(0, Number(count));
  const live = tokens.map(
    ({ contract_id: contractId, interface: abi, getters_at_deploy: values }, index): LiveContract => ({
      contractId,
      sourceCode: `;; source of ${contractId}`,
      abi,
      blockHeight: 100 + index,
      listed: {},
      call: (name) => callReal(values, name),
    }),
  );
  const api = createServer(chainListener(chainOf(live))).listen(0, '127.0.0.1');
  await once(api, 'listening');
  const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  await ok('index', '--db', 'tokens.sqlite', '--api-url', apiUrl, '--discover', 'ft', '--quiet');
  api.close();
  await ok('build', '--db', 'tokens.sqlite', '--out', 'site', '--host', 'nginx', '--quiet');

  const host = await nginx.start({ dist: join(work, 'site'), hosts: join(work, 'site-hosts') });
  try {
    const client = createTokenClient({ baseUrl: host.origin });
    const chainApi = createApiClient({ baseUrl: host.origin });
    for (const { contract_id: principal, interface: abi, getters_at_deploy: values } of tokens) {
      const { data, error } = await client.GET('/metadata/v1/ft/{principal}', { params: { path: { principal } } });
      check(`${principal} is answered`, data !== undefined, JSON.stringify(error));
      const supply = typeof values.total_supply === 'string' ? values.total_supply : undefined;
      const wanted = [values.name ?? '', values.symbol ?? '', Number(values.decimals ?? 0), supply];
      const served = [data?.name, data?.symbol, data?.decimals, data?.total_supply];
      check(`${principal} has its values`, isDeepStrictEqual(served, wanted), JSON.stringify(data));
      const contract = await chainApi.GET('/extended/v1/contract/{contract_id}', {
        params: { path: { contract_id: principal } },
      });
      check(`${principal} is a contract`, contract.data?.contract_id === principal, JSON.stringify(contract.error));
      const [contractAddress = '', contractName = ''] = principal.split('.');
      const fetched = await fetchAbi({ contractAddress, contractName, client: { baseUrl: host.origin } });
      check(`${principal} has its interface`, isDeepStrictEqual(fetched.functions, abi.functions));
    }
    const listed = new Set<string>();
    let total = Number.POSITIVE_INFINITY;
    for (let offset = 0; offset < total; offset += 20) {
      const { data } = await client.GET('/metadata/v1/ft', { params: { query: { offset, limit: 20 } } });
      total = data?.total ?? 0;
      for (const { contract_principal } of data?.results ?? []) listed.add(contract_principal);
    }
    check('the list has every token', listed.size === tokens.length, `${listed.size} of ${tokens.length}`);
    const { data: apiStatus } = await client.GET('/metadata/v1/');
    check('the status is answered', apiStatus?.status === 'ready' && apiStatus.tokens?.ft === tokens.length);
  } finally {
    await host.stop();
  }
}
