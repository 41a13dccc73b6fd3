// Says which tokens may be evaluated one behind the other in one session of the VM, since nothing that one leaves behind can show in another.
import { findReferences } from '#clarity/find-references.ts';
import { atomsOf, headOf, parseSource } from '#clarity/parse-source.ts';
import { EPOCHS } from '#model/chain.ts';
import { splitContractId } from '#model/principal.ts';
import type { DeployedSource, EvaluationRequest } from './messages.ts';

/** A session grows with every deploy. */
const MAX_EVALUATIONS = 100;
/** The versions of Clarity whose functions {@link SHOWS_THE_CHAIN} was written for. */
const NEWEST_KNOWN_VERSION = 4;
/** In names of functions and variables that tell what is outside of the contract: blocks, times, balances of STX. Other names with them only cost time. */
const SHOWS_THE_CHAIN = /block|height|tenure|time|stx|liquid|restrict|^contract-call\?$|^contract-hash\?$/;

export class SharedSession {
  #evaluations = 0;
  #epoch = 0;
  readonly #deployed = new Set<string>();

  /** Whether a request may be evaluated behind those that were {@link add added}. */
  takes(request: EvaluationRequest): boolean {
    const { token, dependencies, firstScope } = request;
    if (this.#evaluations === 0 || this.#evaluations >= MAX_EVALUATIONS || firstScope !== 'whole') return false;
    if (this.#deployed.has(token.contractId) || !isSelfContained(request)) return false;
    // A chain never goes back to an earlier epoch.
    return this.#newOf([...dependencies, token]).every((source) => epochOf(source) >= this.#epoch);
  }

  /** What was evaluated, in a fresh session or behind others; `isWhole`: its source ran as it stands. */
  add(request: EvaluationRequest, isWhole: boolean): void {
    if (!isWhole || !isSelfContained(request)) {
      this.clear();
      return;
    }
    const sources = this.#newOf([...request.dependencies, request.token]);
    this.#evaluations++;
    this.#epoch = Math.max(this.#epoch, ...sources.map(epochOf));
    for (const { contractId } of sources) this.#deployed.add(contractId);
  }

  /** The next evaluation needs a fresh session. */
  clear(): void {
    this.#evaluations = 0;
    this.#epoch = 0;
    this.#deployed.clear();
  }

  #newOf(sources: readonly DeployedSource[]): DeployedSource[] {
    return sources.filter(({ contractId }) => !this.#deployed.has(contractId));
  }
}

/** It refers to nothing but traits, and sees nothing of the chain. */
function isSelfContained({ token, dependencies }: EvaluationRequest): boolean {
  if (token.clarityVersion > NEWEST_KNOWN_VERSION || !dependencies.every(isTraitAlone)) return false;
  const known = new Set(dependencies.map(({ contractId }) => contractId));
  const { address } = splitContractId(token.contractId);
  if (!findReferences(token.sourceCode, address).every((contractId) => known.has(contractId))) return false;
  for (const { text } of atomsOf(parseSource(token.sourceCode))) if (SHOWS_THE_CHAIN.test(text)) return false;
  return true;
}

/** A contract that has no state. */
function isTraitAlone({ sourceCode }: DeployedSource): boolean {
  return parseSource(sourceCode).every((expression) => headOf(expression) === 'define-trait');
}

function epochOf({ epoch }: DeployedSource): number {
  return EPOCHS.findIndex(({ name }) => name === epoch);
}
