// The commands: name, summary, options and what runs. Each is loaded when it runs: none waits for another's packages.
import type { Command } from 'commander';
import { OPTIONS, type SettingsOf } from './options.ts';
import { readSettings, type SettingGroup } from './setting.ts';
import { type Context, EXIT_OK } from './world.ts';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly options: SettingGroup;
  /** What is named without a flag. */
  readonly argument?: { readonly name: string; readonly summary: string; readonly example: string } | undefined;
  /** True if it does nothing but print an answer, which `--quiet` does not silence. */
  readonly answers: boolean;
  /** Runs what was parsed, and returns the exit status. */
  run(parsed: Command, context: Context): Promise<number>;
}

export const COMMANDS: readonly CommandEntry[] = [
  entry(
    'index',
    'Fill the index: replay event archives, ask a node and an API, fetch metadata and images',
    () => import('./run-index-command.ts'),
  ),
  entry('build', 'Render the index into static files', () => import('./run-build-command.ts')),
  entry(
    'publish',
    'Send a build to a bucket of S3 or a folder: only what changed',
    () => import('./run-publish-command.ts'),
  ),
  entry(
    'follow',
    "Take a node's events as they come: write an archive of them, index it, and build and publish the site",
    () => import('./run-follow-command.ts'),
  ),
  entry('serve', 'Serve a build on this machine', () => import('./run-serve-command.ts')),
  entry(
    'status',
    'Show what the index holds, what is left to do and what went wrong',
    () => import('./run-status-command.ts'),
    { answers: true },
  ),
  entry(
    'show',
    'Show what the index knows about a contract or its token, and why something is missing, without a build',
    () => import('./run-show-command.ts'),
    {
      answers: true,
      argument: {
        name: '<PRINCIPAL>',
        summary: 'the contract: <contract address>.<contract name>',
        example: 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token',
      },
    },
  ),
  entry(
    'find',
    'Find tokens, collections and contracts in the index by symbol, name or the beginning of an address',
    () => import('./run-find-command.ts'),
    {
      answers: true,
      argument: {
        name: '<TEXT>',
        summary: 'a symbol, a name, a part of a name, or the beginning of an address',
        example: 'welsh',
      },
    },
  ),
  entry(
    'verify',
    'Tell whether a published site is the one that was built here, and which answers differ',
    () => import('./run-verify-command.ts'),
    {
      answers: true,
      argument: {
        name: '<URL>',
        summary: 'the root of the site, such as https://tokens.example.org',
        example: 'https://tokens.example.org',
      },
    },
  ),
  entry(
    'compare',
    'Compare what an API answers, field by field, with what a build of the index would answer',
    () => import('./run-compare-command.ts'),
    {
      answers: true,
      argument: {
        name: '<URL>',
        summary: 'the root of the API, such as https://api.hiro.so',
        example: 'https://api.hiro.so',
      },
    },
  ),
  entry(
    'hosts',
    'List the static hosts that a build can be made for, and what each can do',
    () => import('./run-hosts-command.ts'),
    { answers: true },
  ),
  entry('start', 'Index the bundled sample, build it and serve it', () => import('./run-start-command.ts')),
];

/** What runs returns an exit status, if it is not 0. */
type Run<Name extends keyof typeof OPTIONS> = (
  settings: SettingsOf<Name>,
  context: Context,
  argument: string,
) => Promise<number | undefined>;

function entry<Name extends keyof typeof OPTIONS>(
  name: Name,
  summary: string,
  load: () => Promise<{ readonly run: Run<Name> }>,
  { answers = false, argument }: Partial<Pick<CommandEntry, 'answers' | 'argument'>> = {},
): CommandEntry {
  const options = OPTIONS[name];
  return {
    ...{ name, summary, options, argument, answers },
    async run(parsed, context) {
      const { run } = await load();
      return (await run(readSettings(options, parsed), context, parsed.args[0] ?? '')) ?? EXIT_OK;
    },
  };
}
