// Makes tokens whose getters return prepared values, so that tests do not need the Clarity VM.
import { Cl } from '@stacks/transactions';
import type { CallResult, LiveContract } from './chain-listener.ts';
import { TOKEN_INTERFACE } from './interfaces.ts';
import { ADDRESS } from './transactions.ts';

/** Returns a token with the name `Token <name>`. `uri` is its token URI; undefined for a token without a URI. */
export function cannedToken(name: string, uri?: string, fields: Partial<LiveContract> = {}): LiveContract {
  const results: Readonly<Record<string, CallResult>> = {
    'get-name': ok(Cl.stringAscii(`Token ${name}`)),
    'get-symbol': ok(Cl.stringAscii('CAN')),
    'get-decimals': ok(Cl.uint(6)),
    'get-token-uri': ok(uri === undefined ? Cl.none() : Cl.some(Cl.stringUtf8(uri))),
    'get-total-supply': ok(Cl.uint(1_000)),
  };
  return {
    contractId: `${ADDRESS}.${name}`,
    sourceCode: `;; source of ${name}`,
    abi: TOKEN_INTERFACE,
    call: (getter) => results[getter] ?? { cause: 'Unchecked(UndefinedFunction)' },
    ...fields,
  };
}

function ok(value: Parameters<typeof Cl.ok>[0]): CallResult {
  return { result: `0x${Cl.serialize(Cl.ok(value))}` };
}
