// Reads mainnet's contracts with the recorded results of their getters. A node returned these results after the deploy.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Cl } from '@stacks/transactions';
import type { CallResult } from '../support/chain-listener.ts';

/** The path of the file with mainnet's contracts in the folder of real data. */
export const CONTRACTS_FILE = 'mainnet/contracts.ndjson.gz';

type Values = Partial<
  Record<'name' | 'symbol' | 'decimals' | 'token_uri' | 'total_supply', string | null | { err: unknown }>
>;

interface RealContract {
  readonly contract_id: string;
  readonly standard: string | null;
  readonly interface: Record<string, unknown>;
  readonly getters_at_deploy?: Values;
}

interface RealToken extends RealContract {
  readonly getters_at_deploy: Values;
}

export function readRealContracts(folder: string): RealContract[] {
  const lines = gunzipSync(readFileSync(join(folder, CONTRACTS_FILE)))
    .toString('utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as RealContract);
}

export function isRealToken(contract: RealContract): contract is RealToken {
  return contract.standard === 'sip-010' && contract.getters_at_deploy !== undefined;
}

/**
 * Returns the recorded result of a call. The token URI is always `none`, because indexing would fetch the documents of
 * real URIs.
 */
export function callReal(values: Values, name: string): CallResult {
  const ok = (value: Parameters<typeof Cl.ok>[0]): CallResult => ({ result: `0x${Cl.serialize(Cl.ok(value))}` });
  const { total_supply: supply } = values;
  const results: Readonly<Record<string, CallResult>> = {
    'get-name': ok(Cl.stringAscii(String(values.name ?? ''))),
    'get-symbol': ok(Cl.stringAscii(String(values.symbol ?? ''))),
    'get-decimals': ok(Cl.uint(String(values.decimals ?? 0))),
    'get-token-uri': ok(Cl.none()),
    'get-total-supply':
      supply === undefined
        ? { status: 400, text: 'Execution budget exceeded' }
        : typeof supply === 'string'
          ? ok(Cl.uint(supply))
          : { result: `0x${Cl.serialize(Cl.error(Cl.uint(6004)))}` },
  };
  return results[name] ?? { cause: 'Unchecked(UndefinedFunction)' };
}
