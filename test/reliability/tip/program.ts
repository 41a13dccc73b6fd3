// A program: what deployers and callers do on a chain, as steps that are short to write. In them `{@name}` is the
// address of an account of the program, and `.name` in an argument a contract of its deployer.

export interface Deploy {
  readonly deploy: string;
  readonly source: string;
  readonly clarity?: number;
  readonly by?: string;
  /** On a fork: the contract of the chain whose interface it has. */
  readonly like?: string;
  /** Without an interface, as some observers send it, and without a version unless that is said. */
  readonly isBare?: boolean;
}

export interface Call {
  /** `contract function`, of the program's deployer unless the contract is named in full. */
  readonly call: string;
  /** Clarity literals. */
  readonly args?: readonly string[];
  readonly by?: string;
  /** Whose transaction it pays for; the simnet knows none, so what follows from it must be said with `truth`. */
  readonly sponsor?: string;
  /** Aborted by its post-conditions: it does not run, though the function would return `(ok true)`. */
  readonly isAborted?: boolean;
}

/** Those with the same label are one transaction, which several branches include. */
export type Transaction = (Deploy | Call) & { readonly same?: string };

/** A branch that is orphaned: it runs nowhere. */
export interface Fork {
  readonly fork: readonly (readonly Transaction[])[];
}

/** Transactions of one block. */
interface SameBlock {
  readonly block: readonly Transaction[];
}

export interface Mine {
  /** `extend`: burn blocks that begin no tenure; the present one sees them. */
  readonly mine: 'burn' | 'extend' | 'stacks';
  readonly count: number;
}

/** Micro-STX that an account has, of which the archive says nothing. */
interface Fund {
  readonly fund: string;
  readonly amount: bigint;
}

interface Enter {
  /** That of what follows, unless another program has gone on to a later one. */
  readonly epoch: string;
}

interface Arrival {
  /**
   * In which of several index runs its block arrives, 0 for the first; with a fraction, behind the others of that run.
   * In no run if it is missing in the archive.
   */
  readonly run?: number | 'never';
}

export type Step = (Transaction | Fork | SameBlock | Mine | Fund | Enter) & Arrival;

export interface Program {
  readonly name: string;
  readonly steps: readonly Step[];
  /** What getters return where the simnet cannot know it: by `contract getter` or `contract getter number`. */
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

/** `call('token set-name "new"')`. */
export const call = (text: string, more: Partial<Call & Arrival> = {}): Call & Arrival => {
  const [contract, name, ...args] = splitWords(text);
  return { ...more, call: `${contract} ${name}`, args };
};

/** At spaces outside of brackets and quotes. */
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

/** How a failure prints it. */
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
