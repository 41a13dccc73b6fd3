// The commands, each with its name, summary, options and code. The code is loaded when the command runs, so that no
// command loads the packages of another command.
import type { Command } from 'commander';
import { OPTIONS, type SettingsOf } from './options.ts';
import { readSettings, type SettingGroup } from './setting.ts';
import { type Context, EXIT_OK } from './surroundings.ts';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly options: SettingGroup;
  /** The positional argument. */
  readonly argument?: { readonly name: string; readonly summary: string; readonly example: string } | undefined;
  /** True if the command only prints information, which `--quiet` does not suppress. */
  readonly isQuery: boolean;
  /** Runs the parsed command and returns the exit status. */
  run(parsed: Command, context: Context): Promise<number>;
}

export const COMMANDS: readonly CommandEntry[] = [
  entry(
    'index',
    'Fill the index: read event archives, query a node and an API, fetch metadata and images',
    () => import('./run-index-command.ts'),
  ),
  entry('build', 'Render the index into static files', () => import('./run-build-command.ts')),
  entry(
    'publish',
    'Upload a build to an S3 bucket: only the files that changed',
    () => import('./run-publish-command.ts'),
  ),
  entry(
    'follow',
    'Receive events from a node: archive and index them, and build and publish the site',
    () => import('./run-follow-command.ts'),
  ),
  entry(
    'seed',
    'Write a seed: a small event archive in parts, which others can use to index the chain',
    () => import('./run-seed-command.ts'),
  ),
  entry('serve', 'Serve a build on this machine', () => import('./run-serve-command.ts')),
  entry(
    'status',
    'Show the contents of the index, the remaining work and the failures',
    () => import('./run-status-command.ts'),
    { isQuery: true },
  ),
  entry(
    'show',
    'Show the data of a contract and its token, and the reasons for missing values; needs no build',
    () => import('./run-show-command.ts'),
    {
      isQuery: true,
      argument: {
        name: '<PRINCIPAL>',
        summary: 'the contract: <contract address>.<contract name>',
        example: 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token',
      },
    },
  ),
  entry(
    'compare',
    'Compare the responses of an API, field by field, with the responses of a local build',
    () => import('./run-compare-command.ts'),
    {
      isQuery: true,
      argument: {
        name: '<URL>',
        summary: 'the root of the API, such as https://api.hiro.so',
        example: 'https://api.hiro.so',
      },
    },
  ),
  entry('start', 'Index the bundled sample, build it and serve it', () => import('./run-start-command.ts')),
];

/** The function that runs a command. Returns the exit status; undefined stands for 0. */
type Run<Name extends keyof typeof OPTIONS> = (
  settings: SettingsOf<Name>,
  context: Context,
  argument: string,
) => Promise<number | undefined>;

function entry<Name extends keyof typeof OPTIONS>(
  name: Name,
  summary: string,
  load: () => Promise<{ readonly run: Run<Name> }>,
  { isQuery = false, argument }: Partial<Pick<CommandEntry, 'isQuery' | 'argument'>> = {},
): CommandEntry {
  const options = OPTIONS[name];
  return {
    ...{ name, summary, options, argument, isQuery },
    async run(parsed, context) {
      const { run } = await load();
      return (await run(readSettings(options, parsed), context, parsed.args[0] ?? '')) ?? EXIT_OK;
    },
  };
}
