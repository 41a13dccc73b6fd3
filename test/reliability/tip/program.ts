// Defines a program in a short notation: a list of deploys, calls and other steps on a chain. In texts, `{@name}` is
// the address of the program's account `name`. In arguments, `.name` is a contract of the program's deployer.

export interface Deploy {
  readonly deploy: string;
  readonly source: string;
  readonly clarity?: number;
  readonly by?: string;
  /** In a fork: the name of the canonical contract whose interface this deploy gets. */
  readonly like?: string;
  /** True to omit the interface, as some observers do. Also omits the Clarity version if `clarity` is undefined. */
  readonly isBare?: boolean;
}

export interface Call {
  /**
   * The contract and function, separated by a space. A contract without an address belongs to the program's deployer.
   */
  readonly call: string;
  /** The arguments, as Clarity literals. */
  readonly args?: readonly string[];
  readonly by?: string;
  /**
   * The account that pays the fee. The simnet does not support sponsors, so `truth` must contain the values that depend
   * on a sponsor.
   */
  readonly sponsor?: string;
  /**
   * True if post-conditions abort the transaction. It then has no effects, even if the function returns `(ok true)`.
   */
  readonly isAborted?: boolean;
}

/** A deploy or a call. Steps with the same label in `same` are one transaction, which several branches contain. */
export type Transaction = (Deploy | Call) & { readonly same?: string };

/** An orphaned branch, given as a list of blocks. The simnet does not run its transactions. */
export interface Fork {
  readonly fork: readonly (readonly Transaction[])[];
}

/** Transactions that are in the same block. */
interface SameBlock {
  readonly block: readonly Transaction[];
}

export interface Mine {
  /**
   * The kind of blocks to mine: Stacks blocks, or burn blocks. Each burn block begins a tenure (`burn`) or extends the
   * present one (`extend`).
   */
  readonly mine: 'burn' | 'extend' | 'stacks';
  readonly count: number;
}

/** Adds micro-STX to an account in a way that the archive does not contain. */
interface Fund {
  readonly fund: string;
  readonly amount: bigint;
}

/** Changes the epoch of the chain. Has no effect if the chain is already in this epoch or a later one. */
interface Enter {
  readonly epoch: string;
}

interface Arrival {
  /**
   * The index run in which the block arrives, by default the first (0). A run of 1.5 means: in run 1, after the blocks
   * with 1. No archive has a block with `never`.
   */
  readonly run?: number | 'never';
}

export type Step = (Transaction | Fork | SameBlock | Mine | Fund | Enter) & Arrival;

export interface Program {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Expected values that the simnet cannot compute, by `contract getter` or `contract getter number`. */
  readonly truth?: Readonly<Record<string, string>> | undefined;
}

export const deploy = (
  name: string,
  source: string,
  more: Partial<Deploy & Arrival & Pick<Transaction, 'same'>> = {},
): Deploy & Arrival => ({
  ...more,
  deploy: name,
  source,
});

/** Returns a call from text such as `token set-name "new"`. */
export const call = (text: string, more: Partial<Call & Arrival> = {}): Call & Arrival => {
  const [contract, name, ...args] = splitWords(text);
  return { ...more, call: `${contract} ${name}`, args };
};

/** Splits text at spaces that are outside of brackets and quotes. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let word = '';
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && '({'.includes(character)) depth++;
    else if (!isQuoted && ')}'.includes(character)) depth--;
    if (character === ' ' && depth === 0 && !isQuoted) {
      if (word !== '') words.push(word);
      word = '';
    } else word += character;
  }
  return word === '' ? words : [...words, word];
}

/** Formats a program as text for the message of a failed test. */
export function formatProgram({ name, steps }: Program): string {
  return [`program ${name}`, ...steps.map(formatStep)].join('\n');
}

function formatStep(step: Step): string {
  const run = step.run === undefined ? '' : ` [run ${step.run}]`;
  if ('mine' in step) return `mine ${step.count} ${step.mine}${run}`;
  if ('epoch' in step) return `enter epoch ${step.epoch}`;
  if ('fund' in step) return `fund ${step.fund} ${step.amount}`;
  if ('block' in step)
    return `one block${run}:\n${step.block.map((transaction) => `  ${formatStep(transaction)}`).join('\n')}`;
  if ('fork' in step)
    return [
      `orphaned${run}:`,
      ...step.fork.flatMap((block) => ['  block', ...block.map((transaction) => `    ${formatStep(transaction)}`)]),
    ].join('\n');
  const by = step.by === undefined ? '' : ` by ${step.by}`;
  if ('deploy' in step) return `deploy ${step.deploy}${by}${run}:\n${step.source.trim().replaceAll(/^/gm, '    ')}`;
  const how = step.isAborted === true ? ' aborted' : '';
  return `call ${step.call} ${(step.args ?? []).join(' ')}${by}${how}${run}`;
}
