// Draws a program from a seed: contracts in the order of their deploys, and calls of their functions.
import { Random } from '../../../support/random.ts';
import { deploy, type Program, type Step, type Transaction } from '../program.ts';
import { drawCollection, drawSemiFungible } from './draw-collection.ts';
import { drawAgent, drawRegistry, drawToken } from './draw-contract.ts';
import { drawPasser } from './draw-passer.ts';
import { drawFeatures, type Features, isNarrow } from './features.ts';
import {
  ACCOUNTS,
  type Context,
  type Contract,
  emptyContract,
  emptyState,
  type ParameterType,
  type Scope,
  type Trait,
  type Writer,
} from './scope.ts';
import { argument } from './statements.ts';
import { TRAITS } from './traits.ts';

export function makeProgram(name: string, seed: number): Program {
  const random = new Random(seed);
  return { name, steps: new Drawing(random, drawFeatures(random)).draw() };
}

class Drawing {
  readonly #random: Random;
  readonly #features: Features;
  readonly #steps: Step[] = [];
  readonly #contracts: Contract[] = [];

  constructor(random: Random, features: Features) {
    this.#random = random;
    this.#features = features;
  }

  draw(): Step[] {
    const [random, features] = [this.#random, this.#features];
    if (features.has('stx'))
      for (const fund of ACCOUNTS) if (random.chance(0.4)) this.#steps.push({ fund, amount: 5_000n });
    const usesTraits = (['trait', 'trait-twice', 'trait-read', 'trait-nested', 'passing', 'asking'] as const).some(
      (feature) => features.has(feature),
    );
    if (usesTraits) this.#add({ ...emptyContract('traits', 'trait'), definitions: [TRAITS] });
    for (let at = random.pick([0, 1, 1, 2]); at > 0; at--) this.#add(drawRegistry(`reg${at}`, this.#context));
    if (features.has('older')) this.#call(random.within(0, 3));
    this.#addTokens();
    this.#call(random.within(1, 3));
    for (let at = random.within(isNarrow(features) ? 1 : 0, features.has('passing') ? 3 : 2); at > 0; at--) {
      this.#addLater(at);
      this.#call(random.within(1, 3));
    }
    this.#call(random.within(1, 5));
    if (random.chance(0.3)) this.#addOtherSources();
    return features.has('same-block') ? this.#joinBlocks() : this.#steps;
  }

  /**
   * Adds orphaned deploys of existing contract names with other sources, which may refer to contracts deployed later.
   */
  #addOtherSources(): void {
    const random = this.#random;
    for (let at = random.within(1, 3); at > 0; at--) {
      const { name } = random.pick(this.#contracts);
      const drawn = [drawRegistry, drawToken, drawCollection, drawAgent];
      const older = this.#contracts.filter(
        (contract) => contract.kind === 'trait' || (contract.name !== name && random.chance(0.7)),
      );
      const { definitions } = random.pick(drawn)(name, { ...this.#context, older });
      const fork = { fork: [[deploy(name, definitions.join('\n'))]] };
      this.#steps.splice(random.within(0, this.#steps.length), 0, fork);
    }
  }

  get #context(): Context {
    return { random: this.#random, features: this.#features, older: [...this.#contracts] };
  }

  #addTokens(): void {
    const random = this.#random;
    for (let at = random.within(1, 2); at > 0; at--) {
      if (random.chance(0.7)) this.#add(drawToken(`tok${at}`, this.#context));
      else if (!this.#features.has('semi-fungible')) this.#add(drawCollection(`col${at}`, this.#context));
      else this.#add(drawSemiFungible(`col${at}`, this.#context));
      if (random.chance(0.3)) this.#call(1);
    }
  }

  #addLater(at: number): void {
    const [random, features] = [this.#random, this.#features];
    if (features.has('deploy-call') && (isNarrow(features) || random.chance(0.6)))
      this.#add(this.#drawSetup(`setup${at}`));
    else if (random.chance(0.2)) this.#add(drawRegistry(`late${at}`, this.#context));
    else if (features.has('passing') && random.chance(0.7)) this.#add(drawPasser(`passer${at}`, this.#context));
    else this.#add(drawAgent(`agent${at}`, this.#context));
  }

  /** Draws a contract whose deploy calls functions of other contracts. */
  #drawSetup(name: string): Contract {
    const random = this.#random;
    const contract = emptyContract(name, 'setup');
    for (const callee of this.#callable().slice(0, random.within(1, 2))) {
      const args = this.#literals(callee.parameters);
      if (args === undefined) continue;
      const made = `(contract-call? .${[callee.contract, callee.name, ...args].join(' ')})`;
      contract.definitions.push(
        random.chance(0.5) ? made : `(define-constant did-${callee.contract}-${callee.name} ${made})`,
      );
    }
    contract.definitions.push('(define-constant DONE true)');
    return contract;
  }

  #add(contract: Contract): void {
    this.#maybeMine();
    const [random, features] = [this.#random, this.#features];
    const plain = contract.definitions.join('\n');
    const isNamed = features.has('full-name') && random.chance(0.5);
    const source = isNamed ? plain.replaceAll(/(?<=[\s(])\.(?=[a-z])/g, "'{@deployer}.") : plain;
    const isBare = features.has('bare') && contract.kind !== 'token' && contract.kind !== 'collection';
    this.#steps.push(deploy(contract.name, source, { clarity: this.#clarity, isBare }));
    this.#contracts.push(contract);
  }

  /** A Clarity version that supports the features of the program. */
  get #clarity(): number {
    if (this.#features.has('restrict')) return 4;
    if (this.#features.has('loops') && !this.#features.has('as-contract')) return this.#random.pick([3, 3, 4]);
    return this.#features.has('height') || this.#features.has('as-contract') ? 3 : this.#random.pick([1, 2, 3, 3, 4]);
  }

  #maybeMine(): void {
    const random = this.#random;
    const mine = random.pick(['burn', 'burn', 'extend', 'stacks'] as const);
    if (this.#features.has('height') && random.chance(0.25)) this.#steps.push({ mine, count: random.within(1, 25) });
  }

  /** Returns the public functions of all contracts, except getters, in random order. */
  #callable() {
    const all = this.#contracts.flatMap(({ name: contract, writers }) =>
      writers.map((writer) => ({ ...writer, contract })),
    );
    return all
      .map((writer) => ({ writer, at: this.#random.below(1_000) }))
      .sort((a, b) => a.at - b.at)
      .map(({ writer }) => writer);
  }

  /** Draws a function to call. In programs with few features, often a function that uses such a feature. */
  #callee() {
    const all = this.#callable();
    const isSpecial = ({ name, parameters }: Writer) =>
      ['fill', 'hide', 'burn'].includes(name) ||
      parameters.some((type) => type.startsWith('named') || type === 'proposal');
    const isAbout = isNarrow(this.#features) || this.#features.has('passing');
    const special = isAbout && this.#random.chance(0.5) ? all.find(isSpecial) : undefined;
    return special ?? all[0];
  }

  /** Draws literal arguments of these types. Returns undefined if no contract implements the trait of a parameter. */
  #literals(types: readonly ParameterType[]): string[] | undefined {
    const having = (trait: Trait) => {
      const names = this.#contracts.filter(({ traits }) => traits.has(trait)).map(({ name }) => `.${name}`);
      return names.length === 0 ? undefined : names;
    };
    const named = having('named');
    const parameters = {
      named,
      source: having('source'),
      proposal: having('proposal'),
      'maybe-named': named?.map((name) => `(some ${name})`),
      'named-list': named?.map((name) => `(list ${name})`),
    };
    if (types.some((type) => type in parameters && parameters[type as keyof typeof parameters] === undefined))
      return undefined;
    const features = new Set<never>();
    const scope: Scope = { random: this.#random, features, state: emptyState(), older: [], parameters, mode: 'deploy' };
    return types.map((type) => argument(scope, type));
  }

  #call(count: number): void {
    const [random, features] = [this.#random, this.#features];
    for (let at = 0; at < count; at++) {
      const callee = this.#callee();
      const args = callee && this.#literals(callee.parameters);
      if (callee === undefined || args === undefined) continue;
      this.#maybeMine();
      const by = random.pick(ACCOUNTS);
      const sponsor = features.has('sponsor') && random.chance(0.5) ? { sponsor: random.pick(ACCOUNTS) } : {};
      const made: Transaction = { call: `${callee.contract} ${callee.name}`, args, by, ...sponsor };
      if (features.has('fork') && random.chance(0.25)) {
        // Some orphaned calls are the same transaction as a canonical call.
        const same = random.chance(0.3) ? { same: `call ${this.#steps.length}` } : {};
        this.#steps.push({ fork: [[{ ...made, ...same }]] });
        if ('same' in same) this.#steps.push({ ...made, ...same });
      } else if (features.has('abort') && random.chance(0.2)) this.#steps.push({ ...made, isAborted: true });
      else this.#steps.push(made);
    }
  }

  #joinBlocks(): Step[] {
    const joined: Step[] = [];
    const share = isNarrow(this.#features) ? 0.8 : 0.4;
    for (const step of this.#steps) {
      const last = joined.at(-1);
      if (!isTransaction(step) || last === undefined || !this.#random.chance(share)) joined.push(step);
      else if (isTransaction(last)) joined.splice(-1, 1, { block: [last, step] });
      else if ('block' in last) joined.splice(-1, 1, { block: [...last.block, step] });
      else joined.push(step);
    }
    return joined;
  }
}

function isTransaction(step: Step): step is Transaction {
  return 'deploy' in step || ('call' in step && step.isAborted !== true);
}
