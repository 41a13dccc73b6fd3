// Selects the contracts of a build that is restricted to tokens, or to tokens of one kind.

import { TOKEN_STANDARDS, type TokenStandard } from '#model/token.ts';
import { isTokenContract, type ServedContract } from '#store/contracts/contracts.ts';
import type { Only, RenderOptions } from './subject.ts';

const STANDARDS: Readonly<Record<Only, readonly TokenStandard[]>> = {
  tokens: TOKEN_STANDARDS,
  ft: ['sip-010'],
  nft: ['sip-009'],
  sft: ['sip-013'],
};

/** Undefined if all contracts are built. */
export function standardsOf({ only }: Pick<RenderOptions, 'only'>): readonly TokenStandard[] | undefined {
  return only && STANDARDS[only];
}

/** True if a build includes a contract. */
export function isSelected(contract: ServedContract, options: Pick<RenderOptions, 'only'>): boolean {
  const { standard } = contract;
  return standardsOf(options)?.some((one) => one === standard && isTokenContract(contract)) ?? true;
}
