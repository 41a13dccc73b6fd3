// Draws statements: writes, guards, and calls whose errors are forwarded or caught. Each statement is an expression of
// type bool.

import { flag, number, principal, text } from './expressions.ts';
import { isNarrow } from './features.ts';
import type { ParameterType, Scope, Writer } from './scope.ts';

interface Statement {
  readonly text: string;
  /** True if the statement may end its function with an error. */
  readonly mayFail?: boolean;
}

type Maker = () => Statement;

export function statement(scope: Scope, depth = 1): Statement {
  const { random, state, features, parameters } = scope;
  const makers: Maker[] = [];
  const several = (count: number, make: Maker) => makers.push(...Array.from({ length: count }, () => make));
  const always = (count: number, make: () => string) => several(count, () => ({ text: make() }));
  if (state.texts.length > 0) always(5, () => `(var-set ${random.pick(state.texts)} ${text(scope)})`);
  if (state.flags.length > 0) always(2, () => `(var-set ${random.pick(state.flags)} ${flag(scope)})`);
  if (state.numbers.length > 0) always(2, () => `(var-set ${random.pick(state.numbers)} ${number(scope)})`);
  if (state.sets.length > 0) always(1, () => `(map-set ${random.pick(state.sets)} ${principal(scope)} ${flag(scope)})`);
  if (state.maps.length > 0) {
    always(3, () => `(map-set ${random.pick(state.maps)} ${number(scope)} ${text(scope)})`);
    if (features.has('map-delete')) always(1, () => `(map-delete ${random.pick(state.maps)} ${number(scope)})`);
  }
  if (state.hidden.length > 0) always(1, () => `(map-set ${random.pick(state.hidden)} ${number(scope, 0)} true)`);
  if (state.privateWriters.length > 0) always(2, () => `(${random.pick(state.privateWriters)} ${text(scope, 0)})`);
  if (state.hasTuples) {
    always(4, () =>
      random.pick([
        `(var-set r0 (merge (var-get r0) {v: ${text(scope)}}))`,
        `(var-set r0 (merge (var-get r0) {on: ${flag(scope)}}))`,
        `(map-set e0 {k: ${number(scope)}} {v: ${text(scope)}, burn-block-height: ${number(scope)}})`,
        `(map-insert e0 {k: ${number(scope)}} {v: ${text(scope)}, burn-block-height: ${number(scope)}})`,
        `(map-delete e0 {k: ${number(scope)}})`,
      ]),
    );
  }
  if (features.has('inner-write') && state.texts.length > 0)
    several(2, () => {
      const [it, is] = [`it-${random.below(1_000_000)}`, `is-${random.below(1_000_000)}`];
      return {
        text: `(let ((${it} ${text(scope)}) (${is} ${flag(scope)})) (asserts! ${is} (err u3))
  (var-set ${random.pick(state.texts)} ${it}) (not ${is}))`,
        mayFail: true,
      };
    });
  const givers = scope.older.filter((contract) => contract.givers.length > 0);
  if (givers.length > 0 && state.texts.length > 0)
    several(3, () => {
      const [returned, to] = [`(contract-call? .${random.pick(givers).name} give)`, random.pick(state.texts)];
      return random.pick([
        { text: `(var-set ${to} (try! ${returned}))`, mayFail: true },
        { text: `(match ${returned} good (var-set ${to} good) bad (var-set ${to} "bad"))` },
        { text: `(match ${returned} good (var-set ${to} good) bad false)` },
        { text: `(is-ok ${returned})` },
      ]);
    });
  const named = scope.older.filter(({ traits }) => traits.has('named'));
  if (state.hasAsking && named.length > 0)
    several(4, () => {
      const telling = `(tell .${random.pick(named).name} ${text(scope, 0)})`;
      return random.pick([{ text: `(is-ok ${telling})` }, { text: `(try! ${telling})`, mayFail: true }]);
    });
  if (state.hasCoin) always(1, () => `(is-ok (ft-mint? coin u3 ${principal(scope)}))`);
  if (state.hasThing) always(1, () => `(is-ok (nft-mint? thing ${number(scope, 0)} ${principal(scope)}))`);
  if (depth > 0) {
    always(1, () => `(if ${flag(scope)} ${statement({ ...scope, features }, 0).text} true)`);
    if (state.texts.length > 0)
      always(1, () => `(is-eq u0 (fold each-${state.texts[0]} (list ${text(scope, 0)} ${text(scope, 0)}) u0))`);
  }
  if (features.has('print')) always(1, () => `(is-eq "" (print ${text(scope, 0)}))`);
  if (state.privateTries.length > 0) several(3, () => tried(scope));
  if (features.has('restrict') && state.hasCoin) several(2, () => restricted(scope));
  if (features.has('guard')) several(3, () => guard(scope));
  if (features.has('guard-ok')) always(isNarrow(features) ? 6 : 2, () => guardThatEndsWell(scope));
  if (features.has('guard-write') && state.texts.length > 0)
    several(2, () => ({
      text: `(asserts! (or ${flag(scope)} (var-set ${random.pick(state.texts)} ${text(scope, 0)})) (err u3))`,
      mayFail: true,
    }));
  const callable = scope.older.filter(({ writers }) => writers.some((writer) => isCallable(writer, scope)));
  if (callable.length > 0)
    several(3, () => {
      const contract = random.pick(callable);
      const writer = random.pick(contract.writers.filter((candidate) => isCallable(candidate, scope)));
      return called(scope, `.${contract.name} ${writer.name}`, writer);
    });
  for (const [type, name] of [
    ['named', 'set-it'],
    ['proposal', 'run'],
  ] as const)
    for (const parameter of parameters[type] ?? [])
      if (type === 'named' || parameters.named !== undefined)
        several(isNarrow(features) ? 12 : 4, () =>
          called(scope, `${parameter} ${name}`, {
            name,
            parameters: type === 'named' ? ['text'] : ['named'],
            mayFail: true,
          }),
        );
  for (const parameter of parameters['maybe-named'] ?? [])
    always(4, () => `(match ${parameter} it (is-ok (contract-call? it set-it ${text(scope, 0)})) false)`);
  for (const parameter of parameters['named-list'] ?? [])
    always(4, () => `(is-eq u0 (fold each-named ${parameter} u0))`);
  return makers.length === 0 ? { text: 'true' } : random.pick(makers)();
}

function isCallable({ parameters }: Writer, scope: Scope): boolean {
  return parameters.every((type) => isPlain(type) || scope.parameters[type] !== undefined);
}

function isPlain(type: ParameterType): boolean {
  return type === 'text' || type === 'number' || type === 'flag' || type === 'who';
}

/**
 * Draws a call of another contract, by name or through a trait. An error of the call is forwarded, caught or stored.
 */
function called(scope: Scope, callee: string, { parameters, mayFail }: Writer): Statement {
  const { random, features, state } = scope;
  const args = parameters.map((type) => argument(scope, type));
  const made = `(contract-call? ${[callee, ...args].join(' ')})`;
  const isOther = random.chance(0.5);
  const call =
    !isOther || !(features.has('as-contract') || features.has('restrict')) ? made : asOther(scope, made, mayFail);
  if (!mayFail) return { text: `(is-ok ${call})` };
  const makers: Maker[] = [() => ({ text: `(try! ${call})`, mayFail: true })];
  if (features.has('caught')) {
    makers.push(
      () => ({ text: `(match ${call} good true bad false)` }),
      () => ({ text: `(is-ok ${call})` }),
    );
    if (state.texts.length > 0) {
      const variable = state.texts[0];
      makers.push(() => ({
        text: `(match ${call} good (var-set ${variable} "good") bad (var-set ${variable} "bad"))`,
      }));
    }
  }
  return random.pick(makers)();
}

export function argument(scope: Scope, type: ParameterType): string {
  switch (type) {
    case 'text':
      return text(scope, 0);
    case 'number':
      return number(scope, 0);
    case 'flag':
      return flag(scope, 0);
    case 'who':
      return principal(scope);
    default:
      return scope.random.pick(scope.parameters[type] ?? []);
  }
}

function guard(scope: Scope): Statement {
  const { random, state } = scope;
  const makers: Maker[] = [() => ({ text: `(asserts! ${flag(scope)} (err u1))`, mayFail: true })];
  if (state.maps.length > 0)
    makers.push(() => ({
      text: `(is-eq "" (unwrap! (map-get? ${random.pick(state.maps)} ${number(scope, 0)}) (err u2)))`,
      mayFail: true,
    }));
  return random.pick(makers)();
}

function guardThatEndsWell(scope: Scope): string {
  const { random, state } = scope;
  if (state.maps.length > 0 && random.chance(0.3))
    return `(is-eq "" (unwrap! (map-get? ${random.pick(state.maps)} ${number(scope, 0)}) (ok true)))`;
  return `(asserts! ${flag(scope)} (ok true))`;
}

/** Makes the current contract the sender of a call, or limits the assets that the call may take from the sender. */
function asOther({ random, features }: Scope, call: string, mayFail: boolean): string {
  if (!features.has('restrict')) return `(as-contract ${call})`;
  const how = random.pick(['as-contract?', 'restrict-assets? tx-sender']);
  const only = random.pick(['', '(with-all-assets-unsafe)', '(with-stx u3)']);
  return mayFail ? `(${how} (${how === 'as-contract?' ? only : ''}) (try! ${call}))` : call;
}

/** Draws a write followed by a transfer. The transfer may exceed an allowance, and the write is then rolled back. */
function restricted(scope: Scope): Statement {
  const { random, state } = scope;
  const written = random.pick(state.texts);
  const transfer = `(ft-transfer? coin ${number(scope)} tx-sender ${principal(scope)})`;
  const limited = `(restrict-assets? tx-sender ((with-ft current-contract "coin" ${number(scope, 0)}))
    (var-set ${written} ${text(scope, 0)}) (try! ${transfer}))`;
  return { text: `(match ${limited} good good bad (var-set ${written} "bad"))`, mayFail: true };
}

/** Draws a call of a private function. An error of the call is forwarded, caught, or ends a loop. */
function tried(scope: Scope): Statement {
  const { random, state } = scope;
  const name = random.pick(state.privateTries);
  const call = `(${name} ${text(scope, 0)})`;
  const several = `(list ${text(scope, 0)} ${text(scope, 0)})`;
  const loop = `(fold ${name.replace('try', 'then')} ${several} (ok true))`;
  return random.pick([
    { text: `(let ((done (try! ${call}))) done)`, mayFail: true },
    { text: `(unwrap! ${call} (err u7))`, mayFail: true },
    { text: `(try! ${loop})`, mayFail: true },
    { text: `(unwrap-panic ${call})` },
    { text: `(match ${call} good good bad (is-eq bad u6))` },
    { text: `(is-ok ${loop})` },
    { text: `(is-eq u2 (len (map ${name} ${several})))` },
  ]);
}
