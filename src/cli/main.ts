// Parses the command line, runs a command, and converts its result or error to an exit status.
import { addAbortListener } from 'node:events';
import { Command, CommanderError, Help, type Option } from 'commander';
import { UnreadableError } from '#files/open-regular.ts';
import { type Failure, FailureError, fail, stop } from '#model/failure.ts';
import { isTemporary } from '#model/temporary.ts';
import { explainNamedError } from '#sqlite/sqlite-errors.ts';
import { commandLine } from '#text/command-line.ts';
import { escapeControls } from '#text/quote.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { COMMANDS, type CommandEntry } from './commands.ts';
import { completeSettings } from './config.ts';
import { adviseOnExcess } from './excess-arguments.ts';
import { REPORTING_OPTIONS } from './options.ts';
import { readSettings, Setting } from './setting.ts';
import {
  type Context,
  EXIT_FAILED,
  EXIT_OK,
  EXIT_TRY_AGAIN,
  processSurroundings,
  type Surroundings,
} from './surroundings.ts';
import { createReporter, printableLine } from './terminal-reporter.ts';

const DEFAULT_COLUMNS = 80;

/** Runs the command line and returns the exit status. Prints errors instead of throwing them. */
export async function main(
  args: readonly string[],
  surroundings: Surroundings = processSurroundings(),
): Promise<number> {
  const program = new Command('stxpress')
    .description('Builds a static JSON API from the token and contract metadata of the Stacks blockchain.')
    .version(packageJson.version, '-v, --version')
    .exitOverride()
    .configureHelp({ optionDescription })
    // Commander throws each error after printing it, so its output is suppressed and `explain` prints the error.
    .configureOutput({ outputError() {}, writeErr() {}, writeOut: (text) => surroundings.stdout.write(text) });
  const announceStop = () =>
    surroundings.stderr.write('\nStopping after the work in progress. Interrupt again to stop immediately.\n');
  using _stop = addAbortListener(surroundings.signal, announceStop);
  let status = EXIT_OK;
  for (const option of Object.values(REPORTING_OPTIONS)) program.addOption(option);
  for (const entry of COMMANDS) {
    const command = program.command(entry.name).description(entry.summary);
    for (const option of Object.values(entry.options)) command.addOption(option);
    if (entry.argument !== undefined) command.argument(entry.argument.name, entry.argument.summary);
    command.exitOverride((error) => {
      if (error.code === 'commander.missingArgument') throw missingArgument(entry);
      if (error.code !== 'commander.excessArguments') throw error;
      throw stop('usage', `${sentenceOf(error)}\n${adviseOnExcess(entry, command, args)}`.trim());
    });
    command.configureHelp({ showGlobalOptions: true, optionDescription }).action(async () => {
      status = await run(entry, program, command, surroundings);
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return status;
  } catch (error) {
    return explain(error, program, surroundings.stderr);
  }
}

async function run(
  entry: CommandEntry,
  program: Command,
  command: Command,
  surroundings: Surroundings,
): Promise<number> {
  const { env, stdout, stderr, signal, evaluator } = surroundings;
  completeSettings([program, command], env);
  const { quiet } = readSettings(REPORTING_OPTIONS, program);
  const reporter = createReporter({
    quiet,
    // A CI may offer a terminal, but nobody watches it.
    interactive: stderr.isTTY === true && env.CI === undefined,
    columns: () => stderr.columns || DEFAULT_COLUMNS,
    write: (text) => stderr.write(text),
  });
  const print: Context['print'] = (text) => {
    reporter.clear();
    if (!quiet || entry.isQuery) stdout.write(`${eachLine(text, escapeControls)}\n`);
  };
  try {
    return await entry.run(command, { reporter, print, env, signal, evaluator });
  } finally {
    reporter.clear();
  }
}

function explain(error: unknown, program: Command, stderr: Surroundings['stderr']): number {
  // Help and the version are already printed.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT_OK;
  const failure = failureOf(explainNamedError(error));
  if (failure === undefined) {
    const { stack } = error instanceof Error ? error : new Error(String(error));
    stderr.write(
      `stxpress: this is a bug, please report it with the lines below.\n${eachLine(stack ?? '', printableLine)}\n`,
    );
    return EXIT_FAILED;
  }
  const isHelp = error instanceof CommanderError && error.code === 'commander.help';
  stderr.write(isHelp ? program.helpInformation() : `stxpress: ${eachLine(failure.message, printableLine)}\n`);
  return isTemporary(failure) ? EXIT_TRY_AGAIN : EXIT_FAILED;
}

function missingArgument({ name, argument }: CommandEntry): FailureError {
  const { name: placeholder, summary, example = '' } = argument ?? { name: '', summary: '' };
  return stop('usage', `${name} needs ${placeholder}, ${summary}. For example: ${commandLine(name, example)}`);
}

/**
 * Applies `print` to each line of a text. Quoted text from outside must not contain newlines, which would forge lines.
 */
function eachLine(text: string, print: (line: string) => string): string {
  return text.split('\n').map(print).join('\n');
}

/** Returns the failure of a thrown value; undefined for a bug. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof FailureError) return error.failure;
  if (error instanceof UnreadableError) return fail('usage', error.message);
  // `suppressed` is the error that ended the work. `error` is from the clean-up after it.
  if (error instanceof SuppressedError) return failureOf(error.suppressed);
  if (!(error instanceof CommanderError)) return undefined;
  if (error.code === 'commander.help')
    return fail('usage', `A command is missing: ${COMMANDS.map(({ name }) => name).join(', ')}.`);
  return fail('usage', sentenceOf(error));
}

function sentenceOf({ message }: CommanderError): string {
  return message.replace(/^error: /, '');
}

/** Adds the environment variable to the help of a setting. Commander's own `env` would also read the variable. */
function optionDescription(this: Help, option: Option): string {
  const described = option instanceof Setting ? Object.create(option, { envVar: { value: option.variable } }) : option;
  return Help.prototype.optionDescription.call(this, described);
}
