// The type of a program, a list of deploys, calls and other steps on a chain, in a short notation. In it, `{@name}` is
// the address of an account of the program, and `.name` in an argument is a contract of the program's deployer.

export interface Deploy {
  readonly deploy: string;
  readonly source: string;
  readonly clarity?: number;
  readonly by?: string;
  /** On a fork: name of the canonical contract whose interface the deploy has. */
  readonly like?: string;
  /** True to omit the interface, as some observers do, and the Clarity version unless `clarity` is set. */
  readonly isBare?: boolean;
}

export interface Call {
  /** `contract function`; the contract is one of the program's deployer unless its full id is used. */
  readonly call: string;
  /** Clarity literals. */
  readonly args?: readonly string[];
  readonly by?: string;
  /** Account that pays the fee. The simnet has no sponsors, so `truth` must declare values that depend on it. */
  readonly sponsor?: string;
  /** True if post-conditions abort the transaction: it has no effect, though the function returned `(ok true)`. */
  readonly isAborted?: boolean;
}

/** A transaction. Steps with the same label `same` are one transaction, included in several branches. */
export type Transaction = (Deploy | Call) & { readonly same?: string };

/** An orphaned branch, as a list of blocks. The simnet does not run it. */
export interface Fork {
  readonly fork: readonly (readonly Transaction[])[];
}

/** Transactions in one block. */
interface SameBlock {
  readonly block: readonly Transaction[];
}

export interface Mine {
  /** `burn` and `extend` mine burn blocks: `burn` begins a tenure with each, `extend` extends the present tenure. */
  readonly mine: 'burn' | 'extend' | 'stacks';
  readonly count: number;
}

/** Adds micro-STX to an account by a way that the archive does not record. */
interface Fund {
  readonly fund: string;
  readonly amount: bigint;
}

/** Changes the epoch of the chain, unless another program has already entered a later one. */
interface Enter {
  readonly epoch: string;
}

interface Arrival {
  /**
   * Number of the index run in which the block arrives, 0 for the first. Within a run, numbers with a fraction arrive
   * after the integer. Blocks with `never` are missing in all archives.
   */
  readonly run?: number | 'never';
}

export type Step = (Transaction | Fork | SameBlock | Mine | Fund | Enter) & Arrival;

export interface Program {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Results that the simnet cannot compute, by `contract getter` or `contract getter number`. */
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

/** Makes a call from text, for example `call('token set-name "new"')`. */
export const call = (text: string, more: Partial<Call & Arrival> = {}): Call & Arrival => {
  const [contract, name, ...args] = splitWords(text);
  return { ...more, call: `${contract} ${name}`, args };
};

/** Splits text at spaces outside of brackets and quotes. */
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

/** Formats a program for the message of a failed test. */
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
