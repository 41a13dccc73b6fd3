// Computes the interface of a contract by deploying its source in a VM session. The session contains the contract's
// dependencies.
import { type Failure, fail } from '#model/failure.ts';
import { splitContractId } from '#model/principal.ts';
import { definitionsOf } from './cut-source.ts';
import type { DeployedSource } from './messages.ts';
import type { Session } from './session.ts';

/** The name of a function that is added to the contract, because the package omits interfaces without functions. */
const ADDED_FUNCTION = 'stxpress-interface';

/** Returns the interface in the format of the VM's package, or a failure if the VM rejected the contract. */
export function computeInterface(session: Session, source: DeployedSource): { readonly interface: unknown } | Failure {
  const { sourceCode } = source;
  const { address } = splitContractId(source.contractId);
  // The VM would panic if a contract of its package were deployed again, so such a contract gets another name.
  const contractId =
    session.sourceOf(source.contractId) !== undefined ? `${address}.${ADDED_FUNCTION}` : source.contractId;
  const deploy = (code: string) =>
    session.deploy({ ...source, contractId }, `${code}\n(define-read-only (${ADDED_FUNCTION}) true)`);
  const first = deploy(definitionsOf(sourceCode));
  const deployed = 'refusal' in first ? deploy(sourceCode) : first;
  if ('refusal' in deployed) return fail('clarity-error', `The Clarity VM refuses the contract: ${deployed.refusal}`);
  return { interface: withoutAdded(session.interfaceOf(contractId)) };
}

function withoutAdded(json: unknown): unknown {
  const { functions, ...definitions } = json as { readonly functions: readonly { readonly name: string }[] };
  return { ...definitions, functions: functions.filter(({ name }) => name !== ADDED_FUNCTION) };
}
