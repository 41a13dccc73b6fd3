// Says whether a token can be evaluated in a session in which others were, since nothing that one leaves behind can
// show in another. So an index run over 1,000 small tokens takes 1.35 times as long as the bare VM; with a session for
// each token it takes 3.1 times as long (scripts/bench/vm.ts).
import { findReferences } from '#clarity/find-references.ts';
import { atomsOf, headOf, parseSource } from '#clarity/parse-source.ts';
import { splitContractId } from '#model/principal.ts';
import { type ChainStep, type EvaluationRequest, isCall } from './messages.ts';

/** The newest version of Clarity all of whose functions and variables were looked through for {@link SHOWS_OTHERS}. */
const NEWEST_KNOWN_VERSION = 4;
/** All that shows blocks, times, balances of STX, and other contracts. */
const SHOWS_OTHERS: ReadonlySet<string> = new Set([
  ...['at-block', 'block-height', 'burn-block-height', 'stacks-block-height', 'stacks-block-time', 'tenure-height'],
  ...['get-block-info?', 'get-burn-block-info?', 'get-stacks-block-info?', 'get-tenure-info?'],
  ...['stx-account', 'stx-burn?', 'stx-get-balance', 'stx-liquid-supply', 'stx-transfer?', 'stx-transfer-memo?'],
  ...['as-contract?', 'restrict-assets?', 'contract-call?', 'contract-hash?'],
]);

/** It refers to nothing but traits that are there, sees nothing outside of itself, and nothing happens behind it. */
export function isIsolated({
  token,
  dependencies,
  later,
}: Pick<EvaluationRequest, 'token' | 'dependencies' | 'later'>): boolean {
  if (later.length > 0 || token.clarityVersion > NEWEST_KNOWN_VERSION || !dependencies.every(isTraitAlone))
    return false;
  const known = new Set(dependencies.map(({ contractId }) => contractId));
  const { address } = splitContractId(token.contractId);
  if (!findReferences(token.sourceCode, address).every((contractId) => known.has(contractId))) return false;
  for (const { text } of atomsOf(parseSource(token.sourceCode))) if (SHOWS_OTHERS.has(text)) return false;
  return true;
}

/** A contract that has no state. */
function isTraitAlone(step: ChainStep): boolean {
  return !isCall(step) && parseSource(step.sourceCode).every((expression) => headOf(expression) === 'define-trait');
}
