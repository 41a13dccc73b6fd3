// The command line: parses it, runs a command, and turns what that gives or throws into an exit status.
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { FailureError } from '#model/failure.ts';
import type { Facts } from '#model/reporter.ts';
import { BUILD_KEYS, INDEX_KEYS, SERVE_KEYS, START_KEYS, STATUS_KEYS } from './command-keys.ts';
import { isInteractive, readSettings, type Settings } from './config.ts';
import type { Context } from './context.ts';
import { EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, exitStatusOf } from './exit-status.ts';
import { FLAGS, type Flag, type FlagKey } from './flags.ts';
import { createReporter, jsonLine, withoutControls } from './terminal-reporter.ts';

const DEFAULT_COLUMNS = 80;
const REPORTING = ['log', 'quiet'] as const satisfies readonly FlagKey[];

/** The exit status of the command line. Prints, and never throws. */
export async function main(args: readonly string[]): Promise<number> {
  // A reader that has seen enough (`| head`) is no error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  const signal = abortOnInterrupt();
  let status = EXIT_OK;
  let json = false;
  const program = new Command('stxpress')
    .description("Presses the Stacks blockchain's token and contract metadata into a static JSON API.")
    .version(readVersion())
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => process.stdout.write(text),
      writeErr: (text) => process.stderr.write(text),
    });

  const add = <K extends FlagKey>(
    name: string,
    summary: string,
    keys: readonly K[],
    run: (settings: Settings<K>, context: Context) => Promise<number>,
  ) => {
    const command = program.command(name).description(summary).exitOverride();
    const reporting: readonly FlagKey[] = name === 'status' ? [] : REPORTING;
    for (const key of [...keys, ...reporting]) command.addOption(toOption(FLAGS[key]));
    command.action(async (_options: unknown, parsed: Command) => {
      const { log, quiet } = name === 'status' ? { log: 'text', quiet: false } : readSettings(parsed, REPORTING);
      json = log === 'json';
      const reporter = createReporter({
        form: json ? 'json' : 'text',
        quiet,
        interactive: isInteractive(),
        columns: () => process.stderr.columns ?? DEFAULT_COLUMNS,
        write: (text) => process.stderr.write(text),
      });
      try {
        const print = (text: string, facts?: Facts) => {
          reporter.clear();
          if (!quiet) process.stdout.write(json ? jsonLine('result', text, facts) : `${text}\n`);
        };
        status = await run(readSettings(parsed, keys), { reporter, print, signal });
      } finally {
        reporter.clear();
      }
    });
  };
  // Each command is loaded when it is run: none waits for the packages of another.
  add(
    'index',
    'Fill the index: replay event archives, ask a node and an API, fetch metadata and images',
    INDEX_KEYS,
    async (settings, context) => (await import('./run-index-command.ts')).runIndexCommand(settings, context),
  );
  add('build', 'Render the index into static files', BUILD_KEYS, async (settings, context) =>
    (await import('./run-build-command.ts')).runBuildCommand(settings, context),
  );
  add('serve', 'Serve a build on this machine', SERVE_KEYS, async (settings, context) =>
    (await import('./run-serve-command.ts')).runServeCommand(settings, context),
  );
  add(
    'status',
    'Say what the index holds, what is left to do and what went wrong',
    STATUS_KEYS,
    async (settings, context) => (await import('./run-status-command.ts')).runStatusCommand(settings, context),
  );
  add('hosts', 'List the static hosts that a build can be made for, and what each can do', [], async (_, context) =>
    (await import('./run-hosts-command.ts')).runHostsCommand(context),
  );
  add('start', 'Index the bundled sample, build and serve it', START_KEYS, async (settings, context) =>
    (await import('./run-start-command.ts')).runStartCommand(settings, context),
  );

  try {
    if (args.length === 0) program.help({ error: true });
    await program.parseAsync(args as string[], { from: 'user' });
    return status;
  } catch (error) {
    return explain(error, json);
  }
}

function toOption(flag: Flag): Option {
  const value = flag.kind === 'switch' ? '' : flag.variadic ? ` [${flag.value}...]` : ` <${flag.value}>`;
  const form = `--${flag.name}${value}`;
  const byDefault = flag.default === undefined ? '' : ` (default: ${flag.default})`;
  const option = new Option(form, `${flag.summary}${byDefault}`);
  return flag.kind === 'list'
    ? option.argParser((value: string, previous: string[] = []) => [...previous, value])
    : option;
}

function explain(error: unknown, json: boolean): number {
  // Commander has printed what is wrong, and the nearest flag that there is.
  if (error instanceof CommanderError) {
    if (error.code === 'commander.excessArguments')
      process.stderr.write('With npm, flags come after --: npm run build -- --host nginx\n');
    return error.exitCode === 0 ? EXIT_OK : EXIT_FAILED;
  }
  if (error instanceof FailureError) {
    const { code, message } = error.failure;
    process.stderr.write(json ? jsonLine('error', message, { code }) : `stxpress: ${withoutControls(message)}\n`);
    return exitStatusOf(error.failure);
  }
  process.stderr.write(
    `stxpress: this is a bug, please report it with what follows.\n${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return EXIT_FAILED;
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

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
