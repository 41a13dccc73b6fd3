// Draws Clarity expressions for a text, a flag or a number. They use the state, the contracts and the parameters in the
// scope.
import { isNarrow } from './features.ts';
import { ACCOUNTS, NUMBERS, principalOf, type Scope, TEXTS } from './scope.ts';

type Maker = () => string;

/**
 * Returns how often to add an expression to the candidates: `count`, or three times as often in programs with few
 * features.
 */
const weight = ({ features }: Scope, count: number) => (isNarrow(features) ? count * 3 : count);

const NO_ENTRY = '{v: "none", burn-block-height: u0}';
/** Block heights that the chain passes while programs run, so that comparisons with them change. */
const HEIGHTS = ['u5', 'u20', 'u60', 'u150'] as const;

/** Draws an expression of the type `(string-ascii 40)`. */
export function text(scope: Scope, depth = 2): string {
  const { random, state, older, parameters, features } = scope;
  const makers: Maker[] = [() => random.pick(TEXTS)];
  const several = (count: number, make: Maker) => makers.push(...Array.from({ length: count }, () => make));
  if (state.texts.length > 0) several(4, () => `(var-get ${random.pick(state.texts)})`);
  if (state.maps.length > 0)
    several(3, () => `(default-to "none" (map-get? ${random.pick(state.maps)} ${number(scope, 0)}))`);
  if (state.constants.length > 0) several(3, () => random.pick(state.constants));
  if (state.privateTexts.length > 0 && scope.mode !== 'deploy')
    several(2, () => `(${random.pick(state.privateTexts)})`);
  if (parameters.text !== undefined) several(5, () => random.pick(parameters.text ?? []));
  const readable = older.filter(({ texts }) => texts.length > 0);
  if (readable.length > 0)
    several(4, () => {
      const contract = random.pick(readable);
      const call = `(contract-call? .${contract.name} ${random.pick(contract.texts)})`;
      return contract.kind === 'token' ? `(unwrap-panic ${call})` : call;
    });
  if (parameters.source !== undefined && scope.mode === 'write')
    several(5, () => `(unwrap-panic (contract-call? ${random.pick(parameters.source ?? [])} get-it))`);
  if (state.hasTuples)
    several(4, () =>
      random.pick([
        '(get v (var-get r0))',
        `(get v (merge (var-get r0) {on: ${flag(scope, 0)}}))`,
        `(get v (default-to ${NO_ENTRY} (map-get? e0 {k: ${number(scope, 0)}})))`,
      ]),
    );
  const numbered = older.filter((contract) => contract.numbered.length > 0);
  if (numbered.length > 0)
    several(4, () => `(contract-call? .${random.pick(numbered).name} get-at ${number(scope, 0)})`);
  const givers = older.filter((contract) => contract.givers.length > 0);
  if (givers.length > 0 && scope.mode === 'write')
    several(3, () => {
      const returned = `(contract-call? .${random.pick(givers).name} give)`;
      return random.pick([`(unwrap-panic ${returned})`, `(match ${returned} it it bad "bad")`]);
    });
  const sources = older.filter(({ traits }) => traits.has('source'));
  if (state.hasAsking && sources.length > 0 && scope.mode === 'write')
    several(4, () => `(ask .${random.pick(sources).name})`);
  if (depth > 0) {
    const inner = () => text(scope, depth - 1);
    if (state.hasLoops)
      several(4, () =>
        random.pick([
          `(fold longer (list ${inner()} ${inner()}) ${inner()})`,
          `(default-to "gone" (element-at? (filter is-it (list ${inner()} ${inner()})) u0))`,
          `(unwrap-panic (element-at? (unwrap-panic (replace-at? (list ${inner()} ${inner()}) u0 ${inner()})) u1))`,
          `(default-to "out" (element-at? (list ${inner()} ${inner()}) ${number(scope, 0)}))`,
        ]),
      );
    if (features.has('inner-write') && scope.mode === 'write' && state.texts.length > 0)
      several(3, () => {
        const it = `it-${random.below(1_000_000)}`;
        return random.pick([
          `(begin (var-set ${random.pick(state.texts)} ${inner()}) ${inner()})`,
          `(let ((${it} ${inner()})) (var-set ${random.pick(state.texts)} ${inner()}) ${it})`,
        ]);
      });
    several(2, () => `(if ${flag(scope, depth - 1)} ${text(scope, depth - 1)} ${text(scope, depth - 1)})`);
    several(1, () => `(default-to "too long" (as-max-len? (concat ${text(scope, 0)} ${random.pick(TEXTS)}) u40))`);
    if (features.has('height') && scope.mode !== 'read')
      several(1, () => `(default-to "?" (as-max-len? (int-to-ascii ${height(scope)}) u40))`);
  }
  return random.pick(makers)();
}

export function number(scope: Scope, depth = 1): string {
  const { random, state, parameters, features } = scope;
  const makers: Maker[] = [() => random.pick(NUMBERS), () => random.pick(NUMBERS)];
  if (state.numbers.length > 0) makers.push(() => `(mod (var-get ${random.pick(state.numbers)}) u4)`);
  if (parameters.number !== undefined) makers.push(() => random.pick(parameters.number ?? []));
  if (depth > 0 && state.hasLoops)
    makers.push(
      () => `(default-to u3 (index-of? (list ${text(scope, 0)} ${text(scope, 0)}) ${text(scope, 0)}))`,
      () => `(mod (fold + (list ${number(scope, 0)} ${number(scope, 0)}) u0) u4)`,
      () => `(len (filter is-it (list ${text(scope, 0)} ${text(scope, 0)})))`,
    );
  if (depth > 0 && state.hasTuples)
    makers.push(() => `(get burn-block-height (default-to ${NO_ENTRY} (map-get? e0 {k: ${number(scope, 0)}})))`);
  if (depth > 0 && features.has('height')) makers.push(() => `(mod ${height(scope)} u4)`);
  if (depth > 0 && features.has('asset-read') && state.hasCoin) makers.push(() => `(mod (ft-get-supply coin) u4)`);
  return random.pick(makers)();
}

function height({ random }: Scope): string {
  return random.pick(['stacks-block-height', 'burn-block-height', 'tenure-height']);
}

export function flag(scope: Scope, depth = 1): string {
  const { random, state, older, parameters, features, mode } = scope;
  const makers: Maker[] = [() => random.pick(['true', 'false'])];
  const several = (count: number, make: Maker) => makers.push(...Array.from({ length: count }, () => make));
  const who = () => principal(scope);
  if (state.flags.length > 0) several(4, () => `(var-get ${random.pick(state.flags)})`);
  if (state.hasTuples) several(3, () => '(get on (var-get r0))');
  if (depth > 0 && state.hasLoops)
    several(2, () => `(is-eq (map not (list ${flag(scope, 0)} ${flag(scope, 0)})) (list true false))`);
  if (state.maps.length > 0) several(2, () => `(is-some (map-get? ${random.pick(state.maps)} ${number(scope, 0)}))`);
  if (state.sets.length > 0) several(2, () => `(default-to false (map-get? ${random.pick(state.sets)} ${who()}))`);
  if (parameters.flag !== undefined) several(2, () => random.pick(parameters.flag ?? []));
  const readable = older.filter(({ flags }) => flags.length > 0);
  if (readable.length > 0)
    several(3, () => {
      const contract = random.pick(readable);
      return `(contract-call? .${contract.name} ${random.pick(contract.flags)})`;
    });
  if (features.has('height')) several(3, () => `(> ${height(scope)} ${random.pick(HEIGHTS)})`);
  if (features.has('stx'))
    several(weight(scope, 2), () => `(> (stx-get-balance ${who()}) ${random.pick(['u0', 'u1000'])})`);
  if (features.has('asset-read') && state.hasCoin)
    several(weight(scope, 2), () => `(> (ft-get-balance coin ${who()}) u2)`);
  if (features.has('asset-read') && state.hasThing)
    several(weight(scope, 2), () => `(is-some (nft-get-owner? thing ${number(scope, 0)}))`);
  if (mode === 'write' && features.has('sender')) {
    several(2, () => `(is-eq tx-sender ${principalOf(random.pick(ACCOUNTS))})`);
    several(1, () => '(is-eq contract-caller tx-sender)');
  }
  if (mode === 'write') several(weight(scope, 1), () => writingFlag(scope));
  if (depth > 0) {
    several(1, () => `(and ${flag(scope, depth - 1)} ${flag(scope, depth - 1)})`);
    several(1, () => `(or ${flag(scope, depth - 1)} ${flag(scope, depth - 1)})`);
    several(1, () => `(not ${flag(scope, depth - 1)})`);
    several(2, () => `(is-eq ${text(scope, 0)} ${random.pick(TEXTS)})`);
  }
  return random.pick(makers)();
}

/** Draws an expression of type bool whose evaluation writes. */
function writingFlag(scope: Scope): string {
  const { random, state, features } = scope;
  const makers: Maker[] = [];
  if (state.maps.length > 0) {
    makers.push(() => `(map-insert ${random.pick(state.maps)} ${number(scope, 0)} ${text(scope, 0)})`);
    if (features.has('map-delete')) makers.push(() => `(map-delete ${random.pick(state.maps)} ${number(scope, 0)})`);
  }
  // This map is in no getter, so that only the result of `map-delete` matters.
  if (state.hidden.length > 0 && features.has('map-delete')) {
    makers.push(() => `(map-delete ${random.pick(state.hidden)} u1)`);
  }
  if (features.has('asset-result') && state.hasCoin) {
    const to = () => principalOf(random.pick(ACCOUNTS));
    makers.push(
      () => '(is-ok (ft-burn? coin u1 tx-sender))',
      () => `(is-ok (ft-transfer? coin u2 tx-sender ${to()}))`,
    );
  }
  if (features.has('asset-result') && state.hasThing)
    makers.push(() => `(is-ok (nft-mint? thing ${number(scope, 0)} tx-sender))`);
  if (features.has('stx')) makers.push(() => `(is-ok (stx-transfer? u1 tx-sender '{@treasury}))`);
  return makers.length === 0 ? 'true' : random.pick(makers)();
}

export function principal({ random, parameters, mode }: Scope): string {
  const makers: Maker[] = [() => principalOf(random.pick(ACCOUNTS))];
  if (mode === 'write') makers.push(() => 'tx-sender');
  if (parameters.who !== undefined) makers.push(() => random.pick(parameters.who ?? []));
  return random.pick(makers)();
}
