// Draws random non-fungible and semi-fungible collections: the results of their getters, and their functions that mint
// and burn.
import { collection, semiFungible } from '../contracts.ts';
import { addWriters, begin } from './draw-contract.ts';
import { number, text } from './expressions.ts';
import type { Context, Contract, Scope } from './scope.ts';

export function drawCollection(name: string, context: Context): Contract {
  const { random, features } = context;
  const { contract, state, scope: plain } = begin(name, 'collection', context, 't0', { hasThing: true });
  contract.definitions.push(
    `(define-public (mint (id uint) (u (string-ascii 40)))
  (begin ${random.chance(0.6) ? '(map-set m0 id u)' : 'true'} (nft-mint? thing id tx-sender)))`,
  );
  contract.writers.push({ name: 'mint', parameters: ['number', 'text'], mayFail: true });
  if (features.has('burn')) {
    contract.definitions.push(
      `(define-public (burn (id uint)) (begin ${random.pick(['(map-delete m0 id)', 'true'])}
  (nft-burn? thing id (unwrap! (nft-get-owner? thing id) (err u1)))))`,
    );
    contract.writers.push({ name: 'burn', parameters: ['number'], mayFail: true });
  }
  addWriters(contract, state, context, random.within(0, 2));
  const isPublic = features.has('public-getter') && random.chance(0.5);
  const scope: Scope = { ...plain, parameters: { number: ['id'] }, mode: isPublic ? 'write' : 'read' };
  const found = random.pick([`(unwrap! (map-get? m0 id) (ok none))`, text(scope), text(scope), '(var-get t0)']);
  const uri = `(some (concat "https://a.example/" ${found}))`;
  return { ...contract, definitions: [collection(uri, contract.definitions.join('\n'), isPublic)] };
}

export function drawSemiFungible(name: string, context: Context): Contract {
  const { random } = context;
  const { contract, state, scope: plain } = begin(name, 'collection', context, 't0');
  contract.writers.push(
    { name: 'mint', parameters: ['number', 'number'], mayFail: true },
    { name: 'burn', parameters: ['number', 'number'], mayFail: true },
  );
  addWriters(contract, state, context, random.within(0, 2));
  const scope: Scope = { ...plain, parameters: { number: ['id'] } };
  const source = semiFungible({
    more: contract.definitions.join('\n'),
    decimals: random.chance(0.5) ? 'u0' : number(scope),
    uri: `(concat "https://a.example/" ${text(scope)})`,
    ...(random.chance(0.3) ? { supply: number(scope) } : {}),
  });
  return { ...contract, definitions: [source] };
}
