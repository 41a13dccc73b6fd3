// Finds the functions and traits that a source in UTF-8 names. Does not resolve names, so it may find too many.
import { hash } from 'node:crypto';
import type { CodeReferences } from '#model/chain-event.ts';
import { callsAtDeploy } from './calls-at-deploy.ts';
import { CALL } from './contract-scope.ts';
import { atomOf, type Expression, groupsIn, headOf, itemsOf, parseSource } from './parse-source.ts';

/**
 * The maximum number of functions and traits that a source names in the call graph: four times the largest number on
 * mainnet. Each one may change another file of a build.
 */
export const MAX_NAMES = 1_000;
/** Matches the contracts `'SP….name` and `.name`, but not a trait such as `.traits.ft`. */
const CONTRACT = /^(?:'([0-9A-Z]{28,41}))?\.([a-zA-Z][a-zA-Z0-9_-]*)$/;
/** Matches the traits `'SP….contract.trait` and `.contract.trait`. */
const TRAIT = /^(?:'([0-9A-Z]{28,41}))?\.([a-zA-Z][a-zA-Z0-9_-]*)\.([a-zA-Z][a-zA-Z0-9_-]*)$/;

export function findNames(source: Uint8Array, deployerAddress: string): CodeReferences {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const code = parseSource(bytes.toString('latin1'));
  const calls = findCalls(code, deployerAddress);
  return {
    names: [...new Set([...findTraits(code, deployerAddress), ...calls])].slice(0, MAX_NAMES),
    callsAtDeploy: calls.length > 0 && callsAtDeploy(code),
    sourceHash: `0x${hash('sha256', bytes, 'hex')}`,
  };
}

function findCalls(code: readonly Expression[], deployerAddress: string): string[] {
  const calls: string[] = [];
  for (const group of groupsIn(code)) {
    if (headOf(group) !== CALL) continue;
    const [contract, functionName] = [atomOf(group.items[1]), atomOf(group.items[2])];
    if (contract === undefined || functionName === undefined) continue;
    const match = CONTRACT.exec(contract);
    // Without a match, the contract is a trait that was passed as an argument.
    const contractId = match === null ? '*' : `${match[1] ?? deployerAddress}.${match[2]}`;
    calls.push(`${CALL} ${contractId} ${functionName}`);
  }
  return calls;
}

function findTraits(code: readonly Expression[], deployerAddress: string): string[] {
  return code.flatMap((expression) => {
    const form = headOf(expression);
    if (form !== 'impl-trait' && form !== 'use-trait') return [];
    const match = TRAIT.exec(atomOf(itemsOf(expression)[form === 'use-trait' ? 2 : 1]) ?? '');
    return match === null ? [] : [`${form} ${match[1] ?? deployerAddress}.${match[2]} ${match[3]}`];
  });
}
