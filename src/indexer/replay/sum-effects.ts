// Sums up the effects of the functions of a closure.

import type { CalledFunction, Role } from '#clarity/effects.ts';
import { type Closure, isNamed, type Member, type NamedEffects, NOTHING } from './closure.ts';
import type { Variable } from './transitive-effects.ts';

/**
 * How a caller uses a function. `guard`: it only checks a condition. `result`: its errors end the caller. `value`: the
 * caller continues after errors. A later use includes the effects of the earlier ones.
 */
const USES = ['guard', 'result', 'value'] as const;
type Use = (typeof USES)[number];
const isStronger = (use: Use, than: Use | undefined) => than === undefined || USES.indexOf(use) > USES.indexOf(than);

/** Returns the effects of `root`, a member of a closure, with all members. */
export function sumUp(closure: Closure, root: Member): NamedEffects {
  const { reads, writes, contractIds, callsUnknown } = closure;
  let writing: Set<Member> | undefined;
  /** Variables that can change what is written without changing the result: not those that only guards read. */
  const inputs = new Set<Variable>();
  const open: Member[] = [];
  const uses = new Map<Member, Use>();
  const traitUses = new Map<string, Use>();
  const visit = (member: Member, use: Use) => {
    if (!isStronger(use, uses.get(member))) return;
    uses.set(member, use);
    open.push(member);
  };
  const call = (called: CalledFunction, use: Use) => {
    if (isNamed(called)) {
      visit(closure.add(called), use);
    } else if (isStronger(use, traitUses.get(called.functionName))) {
      traitUses.set(called.functionName, use);
      for (const member of closure.traitCalls.get(called.functionName) ?? []) visit(member, use);
    }
  };
  const onlyReads = (called: CalledFunction) => {
    writing ??= findWriting(closure);
    return isNamed(called) && !writing.has(closure.add(called));
  };
  visit(root, 'result');
  for (const member of closure.calledByUnknown) visit(member, 'value');
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const use = uses.get(next) ?? 'guard';
    const useOf = (role: Role) => (use === 'result' ? role : use);
    for (const { reads, guards, calls } of next.effects) {
      if (use !== 'guard') for (const variable of reads) inputs.add(variable);
      for (const called of calls) call(called, useOf(called.role));
      for (const guard of guards) {
        const isGuard = use === 'guard' || (use === 'result' && guard.calls.every(onlyReads));
        if (!isGuard) for (const variable of guard.reads) inputs.add(variable);
        for (const called of guard.calls) call(called, isGuard ? 'guard' : useOf(called.role));
      }
    }
  }
  const calls = Array.from(traitUses, ([functionName, use]) => {
    return { contractId: undefined, functionName, role: use === 'value' ? use : 'result' } as const;
  });
  const guards = inputs.size < reads.size ? [{ reads: reads.difference(inputs), calls: [] }] : [];
  const asOne = { ...NOTHING, reads: inputs, guards, writes, calls, contractIds };
  return { reads, writes, inputs, callsUnknown, asOne };
}

/** Returns the members that may write state: those that write or call a trait, and those that call them. */
function findWriting(closure: Closure): Set<Member> {
  const calls: { readonly caller: Member; readonly callee: Member }[] = [];
  const writing = new Set<Member>();
  for (const member of closure.members)
    for (const effects of member.effects) {
      if (effects.writes.size > 0) writing.add(member);
      for (const called of [effects.calls, ...effects.guards.map((guard) => guard.calls)])
        for (const call of called) {
          if (!isNamed(call)) writing.add(member);
          else calls.push({ caller: member, callee: closure.add(call) });
        }
    }
  const callsOf = Map.groupBy(calls, ({ callee }) => callee);
  // The loop adds members to the set that it visits.
  for (const member of writing) for (const { caller } of callsOf.get(member) ?? []) writing.add(caller);
  return writing;
}
