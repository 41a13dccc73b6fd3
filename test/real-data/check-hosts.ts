// This script checks hosts with mainnet's names and tokens: node test/real-data/check-hosts.ts FOLDER [TOKENS]
// A site with every name of FOLDER/mainnet/principals.txt.gz must be refused for the hosts whose limits it breaks,
// before a file is written; the official clients then read TOKENS (300) tokens of FOLDER/mainnet/contracts.ndjson.gz
// from nginx, with the configuration that the build wrote. `npm run conformance` installs nginx.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createClient as createTokenClient } from '@hirosystems/token-metadata-api-client';
import { createClient as createApiClient } from '@stacks/blockchain-api-client';
import { fetchAbi } from '@stacks/transactions';
import { nginx } from '../conformance/servers/nginx.ts';
import { chainListener, chainOf, type LiveContract } from '../support/chain-listener.ts';
import { runCli } from '../support/run-cli.ts';
import { readAllNames, writeNamesArchive } from './all-names.ts';
import { countChecks } from './count-checks.ts';
import { CONTRACTS_FILE, callReal, isRealToken, readRealContracts } from './real-contracts.ts';

const [folder, tokensText = '300'] = process.argv.slice(2);
const names = readAllNames(folder, 'check-hosts.ts FOLDER [TOKENS]');

const { check, finish } = countChecks();
const work = mkdtempSync(join(tmpdir(), 'stxpress-check-hosts-'));
try {
  await checkLimits();
  await checkClients();
} finally {
  rmSync(work, { recursive: true, force: true });
}
finish();

function run(...args: string[]) {
  return runCli(args, { cwd: work });
}

async function checkLimits(): Promise<void> {
  await writeNamesArchive(join(work, 'names.tsv'), names);
  const indexed = await run(
    'index',
    '--db',
    'names.sqlite',
    '--archive',
    'names.tsv',
    '--no-vm',
    '--no-fetch',
    '--quiet',
  );
  check('all names are indexed', indexed.status === 0, indexed.stderr);

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
    const onlyTokens = ['--host', host, '--only', 'tokens'];
    const tokens = await run('build', '--db', 'names.sqlite', '--out', `tokens-${host}`, ...onlyTokens);
    check(`the way out that the message of ${host} names works`, tokens.status === 0, tokens.stderr);
  }
}

/** Clients that were not written for stxpress, on nginx. */
async function checkClients(): Promise<void> {
  const tokens = readRealContracts(join(folder ?? '', CONTRACTS_FILE))
    .filter(isRealToken)
    .slice(0, Number(tokensText));
  const live = tokens.map(
    ({ contract_id: contractId, interface: abi, getters_at_deploy: values }, index): LiveContract => ({
      contractId,
      sourceCode: `;; source of ${contractId}`,
      abi,
      blockHeight: 100 + index,
      listed: {},
      call: (name) => callReal(values, undefined, name),
    }),
  );
  const api = createServer(chainListener(chainOf(live))).listen(0, '127.0.0.1');
  await once(api, 'listening');
  const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const indexed = await run('index', '--db', 'tokens.sqlite', '--api-url', apiUrl, '--discover', 'ft', '--quiet');
  check('the tokens are indexed', indexed.status === 0, indexed.stderr);
  api.close();
  const built = await run('build', '--db', 'tokens.sqlite', '--out', 'site', '--host', 'nginx', '--quiet');
  check('the tokens are built', built.status === 0, built.stderr);

  const host = await nginx.start({ dist: join(work, 'site'), hosts: join(work, 'site-hosts') });
  try {
    const client = createTokenClient({ baseUrl: host.origin });
    const chainApi = createApiClient({ baseUrl: host.origin });
    for (const { contract_id: principal, interface: abi, getters_at_deploy: values } of tokens) {
      const { data, error } = await client.GET('/metadata/v1/ft/{principal}', { params: { path: { principal } } });
      check(`${principal} is answered`, data !== undefined, JSON.stringify(error));
      const wanted = [values.name ?? '', values.symbol ?? '', Number(values.decimals ?? 0)];
      check(
        `${principal} has its values`,
        isDeepStrictEqual([data?.name, data?.symbol, data?.decimals], wanted),
        JSON.stringify(data),
      );
      const contract = await chainApi.GET('/extended/v1/contract/{contract_id}', {
        params: { path: { contract_id: principal } },
      });
      check(`${principal} is a contract`, contract.data?.contract_id === principal, JSON.stringify(contract.error));
      const [contractAddress = '', contractName = ''] = principal.split('.');
      const served = await fetchAbi({ contractAddress, contractName, client: { baseUrl: host.origin } });
      check(`${principal} has its interface`, isDeepStrictEqual(served.functions, abi.functions));
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
