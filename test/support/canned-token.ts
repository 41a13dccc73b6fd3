// Tokens whose getters answer serialized values that were made beforehand: no Clarity VM has to wake up.
import { Cl } from '@stacks/transactions';
import type { CallResult, LiveContract } from './chain-listener.ts';
import { TOKEN_INTERFACE } from './interfaces.ts';
import { addressOf, TEST_KEY } from './observer-lines.ts';

export const CANNED_DEPLOYER = addressOf(TEST_KEY);

/** A token that is named `Token <name>`, and points to a document if there is one. */
export function cannedToken(name: string, uri?: string, more: Partial<LiveContract> = {}): LiveContract {
  const answers: Readonly<Record<string, CallResult>> = {
    'get-name': ok(Cl.stringAscii(`Token ${name}`)),
    'get-symbol': ok(Cl.stringAscii('CAN')),
    'get-decimals': ok(Cl.uint(6)),
    'get-token-uri': ok(uri === undefined ? Cl.none() : Cl.some(Cl.stringUtf8(uri))),
    'get-total-supply': ok(Cl.uint(1_000)),
  };
  return {
    contractId: `${CANNED_DEPLOYER}.${name}`,
    sourceCode: `;; source of ${name}`,
    abi: TOKEN_INTERFACE,
    call: (getter) => answers[getter] ?? { cause: 'Unchecked(UndefinedFunction)' },
    ...more,
  };
}

function ok(value: Parameters<typeof Cl.ok>[0]): CallResult {
  return { result: `0x${Cl.serialize(Cl.ok(value))}` };
}
