// Draws contracts that only pass contracts to other contracts. Both the callee and the passed contract may be names or
// parameters.
import { type Context, type Contract, emptyContract, type ParameterType, TEXTS } from './scope.ts';
import { TYPES, traitsOf } from './traits.ts';

export function drawPasser(name: string, context: Context): Contract {
  const { random, older } = context;
  const contract = emptyContract(name, 'agent');
  contract.definitions.push(...traitsOf(context));
  const having = (trait: 'named' | 'proposal') =>
    older.filter(({ traits }) => traits.has(trait)).map((contract) => `.${contract.name}`);
  const [named, proposals] = [having('named'), having('proposal')];
  const add = (writer: string, parameters: readonly ParameterType[], calls: readonly string[]) => {
    const head = parameters.map((type, at) => ` (p${at} ${TYPES[type]})`).join('');
    contract.definitions.push(`(define-public (${writer}${head}) (contract-call? ${random.pick(calls)}))`);
    contract.writers.push({ name: writer, parameters, mayFail: true });
  };
  const together = proposals.flatMap((proposal) => named.map((target) => `${proposal} run ${target}`));
  add('run', ['named'], [`p0 set-it ${random.pick(TEXTS)}`, ...proposals.map((proposal) => `${proposal} run p0`)]);
  contract.traits.add('proposal');
  if (named.length > 0) add('pass', ['proposal'], [`p0 run ${random.pick(named)}`]);
  if (together.length > 0 && random.chance(0.3)) add('both', [], together);
  if (proposals.length > 0 && random.chance(0.3)) add('on', ['named'], [`${random.pick(proposals)} run p0`]);
  return contract;
}
