// Draws random registries, tokens and agents. Their getters and functions use the state and the older contracts in the
// scope.
import { token } from '../contracts.ts';
import { addResponses } from './draw-results.ts';
import { flag, number, text } from './expressions.ts';
import { isNarrow } from './features.ts';
import {
  type Context,
  type Contract,
  emptyContract,
  emptyState,
  type ParameterType,
  type Scope,
  type State,
  TEXTS,
  type Writer,
} from './scope.ts';
import { statement } from './statements.ts';
import { TYPES, traitsOf } from './traits.ts';

/**
 * Returns definitions of variables and maps, and adds their names to `state`. `first` is the name of the first text
 * variable.
 */
function defineState(state: State, context: Context, first: string): string[] {
  const { random } = context;
  state.texts.push(first);
  state.maps.push('m0');
  const definitions = ['(define-map m0 uint (string-ascii 40))'];
  if (first !== 'nm') definitions.push(`(define-data-var ${first} (string-ascii 40) "start")`);
  if (random.chance(0.5)) {
    state.flags.push('f0');
    definitions.push(`(define-data-var f0 bool ${random.chance(0.5)})`);
  }
  if (random.chance(0.4) || context.features.has('supply')) {
    state.numbers.push('n0');
    definitions.push('(define-data-var n0 uint u1)');
  }
  if (context.features.has('map-delete')) {
    state.hidden.push('h0');
    definitions.push('(define-map h0 uint bool)', '(define-public (hide) (begin (map-set h0 u1 true) (ok true)))');
  }
  if (random.chance(0.3)) {
    state.sets.push('s0');
    definitions.push('(define-map s0 principal bool)');
  }
  if (context.features.has('tuples')) {
    state.hasTuples = true;
    definitions.push(
      '(define-map e0 {k: uint} {v: (string-ascii 40), burn-block-height: uint})',
      '(define-data-var r0 {v: (string-ascii 40), on: bool} {v: "start", on: false})',
    );
  }
  if (context.features.has('loops')) {
    state.hasLoops = true;
    definitions.push(
      '(define-private (longer (a (string-ascii 40)) (b (string-ascii 40))) (if (> (len a) (len b)) a b))',
      `(define-private (is-it (s (string-ascii 40))) (is-eq s (var-get ${first})))`,
    );
  }
  if (context.features.has('asking') && traitsOf(context).length > 0) {
    state.hasAsking = true;
    definitions.push(
      '(define-private (ask (s <source>)) (unwrap-panic (contract-call? s get-it)))',
      '(define-private (tell (t <named>) (s (string-ascii 40))) (contract-call? t set-it s))',
    );
  }
  definitions.push(
    `(define-private (each-${first} (s (string-ascii 40)) (n uint)) (begin (var-set ${first} s) n))`,
    `(define-private (put-${first} (s (string-ascii 40))) (var-set ${first} s))`,
  );
  state.privateWriters.push(`put-${first}`);
  return definitions;
}

/** Returns constants and writes that a deploy evaluates, and adds the names of the constants to `state`. */
function defineAtDeploy(state: State, context: Context): string[] {
  const { random, features } = context;
  const scope: Scope = { ...context, state, parameters: {}, mode: 'deploy' };
  const definitions: string[] = [];
  if (features.has('constant') && random.chance(0.7)) {
    definitions.push(`(define-constant c0 ${text(scope)})`);
    if (features.has('derived-constant')) {
      definitions.push('(define-constant c1 (default-to "" (as-max-len? (concat c0 "!") u40)))');
      state.constants.push('c1');
    } else state.constants.push('c0');
  }
  if (features.has('deploy-copy') && random.chance(0.5)) definitions.push(`(var-set ${state.texts[0]} ${text(scope)})`);
  return definitions;
}

function definePrivates(state: State, context: Context, first: string): string[] {
  const { random, features } = context;
  const scope: Scope = { ...context, state, parameters: {}, mode: 'read' };
  const definitions: string[] = [];
  if (random.chance(0.4)) {
    definitions.push(`(define-private (look) ${text(scope)})`);
    state.privateTexts.push('look');
  }
  if (!features.has('early')) return definitions;
  const end = random.pick(['(err u6)', '(ok false)']);
  definitions.push(
    `(define-private (try-${first} (s (string-ascii 40)))
  (begin (asserts! ${flag(scope)} ${end}) (if (is-eq s "c") (err u8) (ok (var-set ${first} s)))))`,
    `(define-private (then-${first} (s (string-ascii 40)) (before (response bool uint)))
  (begin ${random.pick(['(try! before)', '(is-ok before)'])} (try-${first} s)))`,
  );
  state.privateTries.push(`try-${first}`);
  return definitions;
}

export function addWriters(contract: Contract, state: State, context: Context, count: number): void {
  const { random, features } = context;
  if (state.hidden.length > 0) contract.writers.push({ name: 'hide', parameters: [], mayFail: false });
  if (state.hasCoin && (features.has('asset-read') || features.has('asset-result'))) {
    contract.definitions.push('(define-public (fill) (ft-mint? coin u10 tx-sender))');
    contract.writers.push({ name: 'fill', parameters: [], mayFail: true });
  }
  for (let at = 0; at < count; at++) {
    const types: ParameterType[] = random.list(2, () => random.pick(['text', 'number', 'flag', 'who'] as const));
    if (features.has('trait-read') && random.chance(0.4)) types.push('source');
    addWriter(contract, state, context, `w${at}`, types);
  }
  addResponses(contract, state, context);
  if (features.has('trait') || features.has('trait-twice') || features.has('passing') || features.has('asking')) {
    addWriter(contract, state, context, 'set-it', ['text']);
    contract.traits.add('named');
  }
}

function addWriter(
  contract: Contract,
  state: State,
  context: Context,
  name: string,
  types: readonly ParameterType[],
): void {
  const { random, features } = context;
  const named = types.map((type, at) => ({ type, name: `p${at}` }));
  const parameters = Object.fromEntries(
    [...Map.groupBy(named, ({ type }) => type)].map(([type, all]) => [
      type,
      all.map(({ name: parameter }) => parameter),
    ]),
  );
  const scope: Scope = { ...context, state, parameters, mode: 'write' };
  const statements = Array.from({ length: random.within(1, 3) }, () => statement(scope));
  const failsInTheEnd = features.has('rollback') && random.chance(0.3);
  const end = failsInTheEnd
    ? `(if ${flag(scope)} (ok true) (err u5))`
    : `(ok ${random.chance(0.8) ? 'true' : flag(scope, 0)})`;
  const head = named.map((parameter) => ` (${parameter.name} ${TYPES[parameter.type]})`).join('');
  const body = statements.map((line) => `\n  ${line.text}`).join('');
  contract.definitions.push(`(define-public (${name}${head}) (begin${body}\n  ${end}))`);
  const mayFail = failsInTheEnd || statements.some((line) => line.mayFail === true);
  contract.writers.push({ name, parameters: types, mayFail } satisfies Writer);
}

/**
 * Begins a contract with its traits, state, constants and private functions. `first` is the name of the first text
 * variable.
 */
export function begin(name: string, kind: Contract['kind'], context: Context, first: string, has: Partial<State> = {}) {
  const contract = emptyContract(name, kind);
  const state: State = { ...emptyState(), ...has };
  contract.definitions.push(
    ...traitsOf(context),
    ...defineState(state, context, first),
    ...defineAtDeploy(state, context),
  );
  contract.definitions.push(...definePrivates(state, context, first));
  const scope: Scope = { ...context, state, parameters: {}, mode: 'read' };
  return { contract, state, scope };
}

export function drawRegistry(name: string, context: Context): Contract {
  const { contract, state, scope } = begin(name, 'registry', context, 't0');
  contract.definitions.push(
    `(define-read-only (get-text) ${context.random.chance(0.5) ? '(var-get t0)' : text(scope)})`,
    `(define-read-only (is-on) ${flag(scope)})`,
  );
  contract.texts.push('get-text');
  contract.flags.push('is-on');
  addWriters(contract, state, context, context.random.within(1, 3));
  if (context.features.has('trait-read') || context.features.has('asking')) {
    contract.definitions.push(`(define-public (get-it) (ok ${text(scope)}))`);
    contract.traits.add('source');
  }
  return contract;
}

export function drawToken(name: string, context: Context): Contract {
  const { random, features } = context;
  const { contract, state, scope } = begin(name, 'token', context, 'nm', { hasCoin: true });
  addWriters(contract, state, context, random.within(1, 3));
  const isPublic = features.has('public-getter') ? [random.pick(['name', 'symbol'] as const)] : [];
  const getter = (which: 'name' | 'symbol') => text(isPublic.includes(which) ? { ...scope, mode: 'write' } : scope);
  const source = token({
    name: random.chance(0.4) ? '(var-get nm)' : getter('name'),
    symbol: getter('symbol'),
    decimals: random.chance(0.5) ? 'u6' : number(scope),
    uri: random.chance(0.3) ? `(if ${flag(scope)} (some ${text(scope)}) none)` : `(some ${text(scope)})`,
    ...(features.has('supply') ? { supply: random.chance(0.6) ? '(var-get n0)' : number(scope) } : {}),
    isPublic,
    more: contract.definitions.join('\n'),
  });
  if (!isPublic.includes('name')) contract.texts.push('get-name');
  return { ...contract, definitions: [source] };
}

/** Draws an agent: a contract without state that calls other contracts by name and through traits. */
export function drawAgent(name: string, context: Context): Contract {
  const { random, features } = context;
  const contract = emptyContract(name, 'agent');
  const state = emptyState();
  contract.definitions.push(...traitsOf(context));
  if (traitsOf(context).length > 0)
    contract.definitions.push(
      `(define-private (each-named (t <named>) (n uint)) (begin (is-ok
  (contract-call? t set-it ${random.pick(TEXTS)})) n))`,
    );
  const isTwice = isNarrow(features) && features.has('trait-twice');
  const kinds: ParameterType[][] = isTwice ? [] : [['text'], ['text', 'flag']];
  if (features.has('trait')) kinds.push(['named', 'text'], ['named']);
  if (features.has('trait-nested')) kinds.push(['maybe-named'], ['named-list']);
  if (features.has('trait-twice')) kinds.push(['proposal', 'named'], ['named', 'proposal']);
  for (let at = 0; at < random.within(1, 2); at++) addWriter(contract, state, context, `w${at}`, random.pick(kinds));
  if (features.has('trait-twice') && (isTwice || random.chance(0.7))) {
    addWriter(contract, state, context, 'run', ['named']);
    contract.traits.add('proposal');
  }
  const targets = context.older.filter(({ traits }) => traits.has('named'));
  if (features.has('constant-trait') && features.has('trait') && targets.length > 0)
    contract.definitions.push(
      `(define-constant target .${random.pick(targets).name})`,
      '(define-private (pass (t <named>) (s (string-ascii 40))) (contract-call? t set-it s))',
      `(define-public (w9) (pass target ${random.pick(TEXTS)}))`,
    );
  if (contract.definitions.some((definition) => definition.includes('(w9)')))
    contract.writers.push({ name: 'w9', parameters: [], mayFail: true });
  return contract;
}
