// Reads real mainnet contracts, and answers calls to their getters as a node did right after the deploy.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Cl } from '@stacks/transactions';
import type { CallAnswer } from '../support/chain-listener.ts';

/** Where it is in the folder that the scripts take. */
export const CONTRACTS_FILE = 'mainnet/contracts.ndjson.gz';

export type Values = Partial<
  Record<'name' | 'symbol' | 'decimals' | 'token_uri' | 'total_supply', string | null | { err: unknown }>
>;

export interface RealContract {
  readonly contract_id: string;
  readonly standard: string | null;
  readonly interface: Record<string, unknown>;
  readonly getters_at_deploy?: Values;
}

export interface RealToken extends RealContract {
  readonly getters_at_deploy: Values;
}

export function readRealContracts(path: string): RealContract[] {
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as RealContract);
}

export function isRealToken(contract: RealContract): contract is RealToken {
  return contract.standard === 'sip-010' && contract.getters_at_deploy !== undefined;
}

/** The node's answer to a call; the real token URIs point at the open web, so `uri` takes their place. */
export function callReal(values: Values, uri: string | undefined, name: string): CallAnswer {
  const ok = (value: Parameters<typeof Cl.ok>[0]): CallAnswer => ({ result: `0x${Cl.serialize(Cl.ok(value))}` });
  const { total_supply: supply } = values;
  switch (name) {
    case 'get-name':
      return ok(Cl.stringAscii(String(values.name ?? '')));
    case 'get-symbol':
      return ok(Cl.stringAscii(String(values.symbol ?? '')));
    case 'get-decimals':
      return ok(Cl.uint(String(values.decimals ?? 0)));
    case 'get-token-uri':
      return ok(uri === undefined ? Cl.none() : Cl.some(Cl.stringUtf8(uri)));
    case 'get-total-supply':
      if (supply === undefined) return { status: 400, text: 'Execution budget exceeded' };
      return typeof supply === 'string'
        ? ok(Cl.uint(supply))
        : { result: `0x${Cl.serialize(Cl.error(Cl.uint(6004)))}` };
    default:
      return { cause: 'Unchecked(UndefinedFunction)' };
  }
}
