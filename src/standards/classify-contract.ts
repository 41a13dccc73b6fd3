// Finds the token standard that a contract interface follows. Checks SIP-013, then SIP-009, then SIP-010.
import type { InterfaceFacts } from '#model/chain-event.ts';
import { type ClarityType, type ContractInterface, clarityVersionOf } from '#model/contract-interface.ts';
import type { TokenStandard } from '#model/token.ts';

/** A type of an argument that a standard names. */
type Required = 'uint128' | 'principal' | { readonly buffer: number } | { readonly optional: Required };
type Signature = readonly [name: string, ...args: Required[]];

/** The minimum length of a memo in bytes. */
const MEMO: Required = { buffer: 34 };

/** Functions that SIP-013 ("Trait") requires of semi-fungible tokens. */
const SIP_013: readonly Signature[] = [
  ['get-balance', 'uint128', 'principal'],
  ['get-overall-balance', 'principal'],
  ['get-total-supply', 'uint128'],
  ['get-overall-supply'],
  ['get-decimals', 'uint128'],
  ['get-token-uri', 'uint128'],
  ['transfer', 'uint128', 'uint128', 'principal', 'principal'],
  ['transfer-memo', 'uint128', 'uint128', 'principal', 'principal', MEMO],
];

/** Functions that SIP-009 ("Trait") requires of non-fungible tokens. */
const SIP_009: readonly Signature[] = [
  ['get-last-token-id'],
  ['get-token-uri', 'uint128'],
  ['get-owner', 'uint128'],
  ['transfer', 'uint128', 'principal', 'principal'],
];

/** Functions that SIP-010 ("Trait") requires of fungible tokens. */
const SIP_010: readonly Signature[] = [
  ['transfer', 'uint128', 'principal', 'principal', { optional: MEMO }],
  ['get-name'],
  ['get-symbol'],
  ['get-decimals'],
  ['get-balance', 'principal'],
  ['get-total-supply'],
  ['get-token-uri'],
];

export function readInterfaceFacts(contractInterface: ContractInterface): InterfaceFacts {
  return {
    standard: classifyContract(contractInterface),
    epoch: contractInterface.epoch,
    clarityVersion: clarityVersionOf(contractInterface),
  };
}

/**
 * Returns the first standard that the interface follows; undefined without one. Ignores outputs, names of arguments,
 * and access: SP22NW0RYCW4GFZRPE8VGJRCKGQMRMMX4903A2TRG.big-play has public getters.
 */
export function classifyContract(contractInterface: ContractInterface): TokenStandard | undefined {
  if (follows(contractInterface, SIP_013)) return 'sip-013';
  if (follows(contractInterface, SIP_009) && contractInterface.non_fungible_tokens.length > 0) return 'sip-009';
  if (follows(contractInterface, SIP_010) && contractInterface.fungible_tokens.length > 0) return 'sip-010';
  return undefined;
}

/** True if the interface has each function, with arguments that admit these types. */
function follows(contractInterface: ContractInterface, signatures: readonly Signature[]): boolean {
  return signatures.every(([name, ...types]) => {
    const args = contractInterface.functions.find((candidate) => candidate.name === name)?.args;
    return args?.length === types.length && types.every((type, index) => admits(args[index]?.type, type));
  });
}

/**
 * True if an argument of a type accepts each value of a standard's type, which is the chain's rule for `impl-trait`: a
 * longer buffer does, as in SM26NBC8SFHNW4P1Y4DFH27974P56WN86C92HPEHH.token-lisa.
 */
function admits(type: ClarityType | undefined, required: Required): boolean {
  if (typeof required === 'string' || typeof type !== 'object') return type === required;
  if ('optional' in required) return admits(type.optional as ClarityType | undefined, required.optional);
  const buffer = type.buffer as { readonly length: number } | undefined;
  return buffer !== undefined && buffer.length >= required.buffer;
}
