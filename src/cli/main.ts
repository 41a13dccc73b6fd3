// The command line: parses it, runs a command, and turns what that returns or throws into an exit status.
import { Command, CommanderError } from 'commander';
import { type Failure, type FailureCode, FailureError, fail } from '#model/failure.ts';
import { escapeControls } from '#text/escape-controls.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { COMMANDS, type CommandEntry } from './commands.ts';
import { completeSettings, dropEmptyVariables, isInteractive } from './config.ts';
import type { Context } from './context.ts';
import { EXIT_FAILED, EXIT_OK, exitStatusOf } from './exit-status.ts';
import { REPORTING_OPTIONS } from './options.ts';
import { readSettings } from './setting.ts';
import { createReporter, jsonLine, printableLine } from './terminal-reporter.ts';

const DEFAULT_COLUMNS = 80;

/** The exit status of the command line. Prints, and never throws. */
export async function main(args: readonly string[]): Promise<number> {
  process.stdout.on('error', endUnlessPipeIsClosed);
  // A log on a full disk lacks lines; the work goes on, and says at its end how it went.
  process.stderr.on('error', () => {});
  dropEmptyVariables();
  const program = new Command('stxpress')
    .description("Presses the Stacks blockchain's token and contract metadata into a static JSON API.")
    .version(packageJson.version, '-v, --version')
    .exitOverride()
    // Errors are thrown too, and shown where they are caught.
    .configureOutput({ outputError() {}, writeErr() {} });
  const signal = abortOnInterrupt(() => logForm(program) === 'json');
  let status = EXIT_OK;
  for (const option of Object.values(REPORTING_OPTIONS)) program.addOption(option);
  for (const entry of COMMANDS) {
    const command = program.command(entry.name).description(entry.summary);
    for (const option of Object.values(entry.options)) command.addOption(option);
    command.configureHelp({ showGlobalOptions: true }).action(async () => {
      status = await run(entry, program, command, signal);
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return status;
  } catch (error) {
    return explain(error, program);
  }
}

async function run(entry: CommandEntry, program: Command, command: Command, signal: AbortSignal): Promise<number> {
  completeSettings([program, command]);
  const { log, quiet } = readSettings(REPORTING_OPTIONS, program);
  const reporter = createReporter({
    form: log,
    quiet,
    interactive: isInteractive(),
    columns: () => process.stderr.columns || DEFAULT_COLUMNS,
    write: (text) => process.stderr.write(text),
  });
  const print: Context['print'] = (text, facts) => {
    reporter.clear();
    if (quiet && !entry.answers) return;
    const line = log === 'json' ? jsonLine('result', text, facts) : `${eachLine(text, escapeControls)}\n`;
    process.stdout.write(line);
  };
  try {
    return await entry.run(command, { reporter, print, signal });
  } finally {
    reporter.clear();
  }
}

function logForm(program: Command): 'text' | 'json' {
  return readSettings(REPORTING_OPTIONS, program).log;
}

function explain(error: unknown, program: Command): number {
  // Help or the version, which was asked for and is printed already.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT_OK;
  try {
    completeSettings([program]);
  } catch {
    // It may be the very error to explain: what could be read tells in which form.
  }
  const json = logForm(program) === 'json';
  const write = (facts: { code: FailureCode; stack?: string | undefined }, message: string, text: string) =>
    process.stderr.write(json ? jsonLine('error', message, facts) : text);
  const failure = failureOf(error);
  if (failure === undefined) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    write(
      { code: 'bug', stack },
      message,
      `stxpress: this is a bug, please report it with the lines below.\n${eachLine(stack ?? '', printableLine)}\n`,
    );
    return EXIT_FAILED;
  }
  const isHelp = error instanceof CommanderError && error.code === 'commander.help';
  const text = isHelp ? program.helpInformation() : `stxpress: ${eachLine(failure.message, printableLine)}\n`;
  write({ code: failure.code }, failure.message, text);
  return exitStatusOf(failure);
}

/** For text of several lines; what it quotes must be one line by then. */
function eachLine(text: string, print: (line: string) => string): string {
  return text.split('\n').map(print).join('\n');
}

function failureOf(error: unknown): Failure | undefined {
  if (error instanceof FailureError) return error.failure;
  if (!(error instanceof CommanderError)) return undefined;
  if (error.code === 'commander.help')
    return fail('usage', `A command is missing: ${COMMANDS.map(({ name }) => name).join(', ')}.`);
  const isExcess = error.code === 'commander.excessArguments';
  const hint = isExcess ? '\nWith npm, flags come after --, as in: npm run build -- --host nginx' : '';
  return fail('usage', `${error.message.replace(/^error: /, '')}${hint}`);
}

/** The first interrupt lets what is in flight finish, the second one ends the process. */
function abortOnInterrupt(json: () => boolean): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => {
    // Without listeners, the next signal ends the process; process.exit would wait for a read of a pipe to end.
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    const message = 'Stopping after what is in flight; interrupt again to stop at once.';
    process.stderr.write(json() ? jsonLine('info', message) : `\n${message}\n`);
    controller.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return controller.signal;
}

/** A reader that has seen enough (`| head`) is no error; a full disk is. */
function endUnlessPipeIsClosed(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`stxpress: The output cannot be written: ${error.message}.\n`);
  process.exit(EXIT_FAILED);
}
