// Defines the few contracts that random writes use, and their deploys.
import { findNames } from '#clarity/find-names.ts';
import type { ContractDeploy } from '#model/chain-event.ts';
import { packCode } from '#model/packed-code.ts';
import type { TokenStandard } from '#model/token.ts';
import { COLLECTION_INTERFACE, EMPTY_INTERFACE, SFT_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { hashOf } from '../../support/transactions.ts';

export const DEPLOYER = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
export const NAMES = ['a', 'b', 'c', 'd', 'n'] as const;
export const IDS = NAMES.map((name) => `${DEPLOYER}.${name}`);

/**
 * Returns the token standard and the interface of a deploy. `d` is never a token, `n` is a collection, and `c` is a
 * collection in some deploys.
 */
export function kindOf(name: string, nonce: number): { standard: TokenStandard | undefined; json: string } {
  if (nonce === 1 || name === 'd') return { standard: undefined, json: JSON.stringify(EMPTY_INTERFACE) };
  if (name !== 'n' && !(name === 'c' && nonce === 2))
    return { standard: 'sip-010', json: JSON.stringify(TOKEN_INTERFACE) };
  if (name === 'c') return { standard: 'sip-013', json: JSON.stringify(SFT_INTERFACE) };
  return { standard: 'sip-009', json: JSON.stringify(COLLECTION_INTERFACE) };
}

export function usualDeploy(name: string): Pick<ContractDeploy, 'code' | 'references' | 'interfaceFacts'> {
  const { standard, json } = kindOf(name, 0);
  return { ...sourceOf(name, 0, json), interfaceFacts: { standard, epoch: undefined, clarityVersion: undefined } };
}

export function txIdOf(name: string, nonce: number): string {
  return hashOf(`deploy of ${name}.${nonce}`);
}

/**
 * Returns the source and the references of a deploy. The source calls one of the contracts, or is the same for every
 * contract.
 */
export function sourceOf(
  name: string,
  nonce: number,
  json: string | undefined,
): Pick<ContractDeploy, 'code' | 'references'> {
  const called = NAMES[((NAMES as readonly string[]).indexOf(name) + nonce) % NAMES.length];
  const source = nonce === 1 ? '(print u1)' : `(print ${nonce}) (define-public (f) (contract-call? .${called} f))`;
  return { code: packCode(source, json), references: findNames(Buffer.from(source), DEPLOYER) };
}
