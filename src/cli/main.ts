// The command line: parses it, runs a command, and turns what that returns or throws into an exit status.
import { Command, CommanderError } from 'commander';
import { escapeControls } from '#model/escape-controls.ts';
import { type Failure, FailureError, fail } from '#model/failure.ts';
import type { Facts } from '#model/reporter.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { COMMANDS, type CommandEntry } from './commands.ts';
import { completeSettings, dropEmptyVariables, isInteractive } from './config.ts';
import { EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, exitStatusOf } from './exit-status.ts';
import { REPORTING_OPTIONS } from './options.ts';
import { readSettings } from './setting.ts';
import { createReporter, jsonLine, printableLine } from './terminal-reporter.ts';

const DEFAULT_COLUMNS = 80;

/** The exit status of the command line. Prints, and never throws. */
export async function main(args: readonly string[]): Promise<number> {
  // A reader that has seen enough (`| head`) is no error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  dropEmptyVariables();
  const signal = abortOnInterrupt();
  let status = EXIT_OK;
  const program = new Command('stxpress')
    .description("Presses the Stacks blockchain's token and contract metadata into a static JSON API.")
    .version(packageJson.version)
    .helpCommand(false)
    .exitOverride()
    // Errors are thrown too, and shown where they are caught.
    .configureOutput({ outputError() {} });
  for (const option of Object.values(REPORTING_OPTIONS)) program.addOption(option);
  for (const entry of COMMANDS) {
    const command = program.command(entry.name).description(entry.summary);
    for (const option of Object.values(entry.options)) command.addOption(option);
    command.configureHelp({ showGlobalOptions: reports(entry) }).action(async () => {
      status = await run(entry, program, command, signal);
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return status;
  } catch (error) {
    return explain(error, readSettings(REPORTING_OPTIONS, program).log === 'json');
  }
}

async function run(entry: CommandEntry, program: Command, command: Command, signal: AbortSignal): Promise<number> {
  const given = Object.values(REPORTING_OPTIONS).find(
    (option) => program.getOptionValueSource(option.name()) === 'cli',
  );
  if (given !== undefined && !reports(entry)) command.error(`error: unknown option '${given.long}'`);
  completeSettings([program, command]);
  const { log, quiet } = readSettings(REPORTING_OPTIONS, reports(entry) ? program : undefined);
  const reporter = createReporter({
    form: log,
    quiet,
    interactive: isInteractive(),
    columns: () => process.stderr.columns ?? DEFAULT_COLUMNS,
    write: (text) => process.stderr.write(text),
  });
  const print = (text: string, facts?: Facts) => {
    reporter.clear();
    if (!quiet)
      process.stdout.write(log === 'json' ? jsonLine('result', text, facts) : `${eachLine(text, escapeControls)}\n`);
  };
  try {
    return await entry.run(command, { reporter, print, signal });
  } finally {
    reporter.clear();
  }
}

/** All that status prints is its answer, which has a form of its own. */
function reports({ name }: CommandEntry): boolean {
  return name !== 'status';
}

function explain(error: unknown, json: boolean): number {
  // Help that was asked for, or that is the answer to no command at all, is printed already.
  if (error instanceof CommanderError && /help|version/i.test(error.code))
    return error.exitCode === 0 ? EXIT_OK : EXIT_FAILED;
  const failure = failureOf(error);
  if (failure !== undefined) {
    const { code, message } = failure;
    process.stderr.write(
      json ? jsonLine('error', message, { code }) : `stxpress: ${eachLine(message, printableLine)}\n`,
    );
    return exitStatusOf(failure);
  }
  const stack = error instanceof Error ? error.stack : String(error);
  process.stderr.write(
    `stxpress: this is a bug, please report it with the lines below.\n${eachLine(stack ?? '', printableLine)}\n`,
  );
  return EXIT_FAILED;
}

/** For text of several lines; what it quotes must be one line by then. */
function eachLine(text: string, print: (line: string) => string): string {
  return text.split('\n').map(print).join('\n');
}

function failureOf(error: unknown): Failure | undefined {
  if (error instanceof FailureError) return error.failure;
  if (!(error instanceof CommanderError)) return undefined;
  const isExcess = error.code === 'commander.excessArguments';
  const hint = isExcess ? '\nWith npm, flags come after --: npm run build -- --host nginx' : '';
  return fail('usage', `${error.message.replace(/^error: /, '')}${hint}`);
}

/** The first interrupt lets what is in flight finish, the second one ends the process. */
function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
    process.stderr.write('\nStopping after what is in flight; interrupt again to stop at once.\n');
    controller.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return controller.signal;
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
