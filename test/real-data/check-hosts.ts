// Checks hosts with mainnet's names and tokens. Usage: node test/real-data/check-hosts.ts FOLDER [TOKENS]
// A build with all names of FOLDER/mainnet/principals.txt.gz must fail for hosts with lower limits, and write no files.
// Then nginx serves TOKENS (default: 300) tokens of FOLDER/mainnet/contracts.ndjson.gz with the built configuration,
// and the official clients read them. `npm run conformance` installs nginx.
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

async function checkLimits({ input, work, check, run, ok }: Checks): Promise<void> {
  await writeNamesArchive(join(work, 'names.tsv'), input);
  await ok('index', '--db', 'names.sqlite', '--archive', 'names.tsv', '--no-vm', '--no-fetch', '--quiet');

  for (const [host, limit] of [
    ['netlify', '54,000 files in a folder'],
    ['cloudflare', '100,000 files'],
    ['vercel', '15,000 files'],
  ] as const) {
    const built = await run('build', '--db', 'names.sqlite', '--out', host, '--host', host);
    check(`${host} refuses all of mainnet`, built.status === 1, `exit ${built.status}`);
    check(`${host} names its limit`, built.stderr.includes(limit), built.stderr);
    const written = readdirSync(work).filter((name) => name.startsWith(host));
    check(`nothing is written for ${host}`, written.length === 0, written.join(', '));
    console.log(`${host}: ${built.stderr.trim()}`);
  }
  for (const host of ['cloudflare', 'netlify']) {
    // Follows the message: builds only tokens.
    await ok('build', '--db', 'names.sqlite', '--out', `tokens-${host}`, '--host', host, '--only', 'tokens');
  }
}

/** Starts nginx with a site, and reads tokens with the official clients of the APIs. */
async function checkClients({ input, more: [count = '300'], work, check, ok }: Checks): Promise<void> {
  const tokens = readRealContracts(input).filter(isRealToken).slice(0, Number(count));
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
      check(`${principal} has a response`, data !== undefined, JSON.stringify(error));
      const supply = typeof values.total_supply === 'string' ? values.total_supply : undefined;
      const expected = [values.name ?? '', values.symbol ?? '', Number(values.decimals ?? 0), supply];
      const served = [data?.name, data?.symbol, data?.decimals, data?.total_supply];
      check(`${principal} has its values`, isDeepStrictEqual(served, expected), JSON.stringify(data));
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
    check('the status is ready', apiStatus?.status === 'ready' && apiStatus.tokens?.ft === tokens.length);
  } finally {
    await host.stop();
  }
}
