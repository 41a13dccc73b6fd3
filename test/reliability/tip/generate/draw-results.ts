// Draws functions whose result other contracts use as a text: read-only functions of a number, and public functions
// that may fail.
import { flag, text } from './expressions.ts';
import type { Context, Contract, Scope, State } from './scope.ts';
import { statement } from './statements.ts';

export function addResponses(contract: Contract, state: State, context: Context): void {
  const { random, features } = context;
  if (features.has('numbered')) {
    const inner: Scope = { ...context, state, parameters: { number: ['n'] }, mode: 'read' };
    contract.definitions.push(`(define-read-only (get-at (n uint)) ${text(inner)})`);
    contract.numbered.push('get-at');
  }
  if (features.has('giving')) {
    const inner: Scope = { ...context, state, parameters: {}, mode: 'write' };
    const returned = random.chance(0.5) ? `(ok ${text(inner)})` : `(if ${flag(inner)} (ok ${text(inner)}) (err u4))`;
    const made = statement(inner);
    const isSafe = made.mayFail !== true && !made.text.includes('(ok true)');
    contract.definitions.push(
      `(define-public (give) (begin ${isSafe ? made.text : 'true'} (if ${flag(inner)} ${returned} (err u4))))`,
    );
    contract.givers.push('give');
    contract.writers.push({ name: 'give', parameters: [], mayFail: true });
  }
}
