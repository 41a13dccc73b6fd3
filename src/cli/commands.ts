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
  readonly argument?: CommandArgument | undefined;
  /** True if it does nothing but print an answer, which `--quiet` does not silence. */
  readonly answers: boolean;
  /** Runs what was parsed, and returns the exit status. */
  run(parsed: Command, context: Context): Promise<number>;
}

interface CommandArgument {
  /** `<PRINCIPAL>`. */
  readonly name: string;
  readonly summary: string;
}

export const COMMANDS: readonly CommandEntry[] = [
  entry(
    'index',
    'Fill the index: replay event archives, ask a node and an API, fetch metadata and images',
    async () => (await import('./run-index-command.ts')).runIndexCommand,
  ),
  entry(
    'build',
    'Render the index into static files',
    async () => (await import('./run-build-command.ts')).runBuildCommand,
  ),
  entry(
    'merge',
    'Build what all shards have in common (lists, search files, pages) from their exports',
    async () => (await import('./run-merge-command.ts')).runMergeCommand,
  ),
  entry(
    'publish',
    'Send a build to a bucket of S3 or a folder: only what changed',
    async () => (await import('./run-publish-command.ts')).runPublishCommand,
  ),
  entry(
    'follow',
    "Take a node's events as they come: write an archive of them, index it, and build and publish the site",
    async () => (await import('./run-follow-command.ts')).runFollowCommand,
  ),
  entry('serve', 'Serve a build on this machine', async () => (await import('./run-serve-command.ts')).runServeCommand),
  entry(
    'status',
    'Show what the index holds, what is left to do and what went wrong',
    async () => (await import('./run-status-command.ts')).runStatusCommand,
    { answers: true },
  ),
  entry(
    'show',
    'Show what the index knows about a contract or its token, and why something is missing, without a build',
    async () => (await import('./run-show-command.ts')).runShowCommand,
    { answers: true, argument: { name: '<PRINCIPAL>', summary: 'the contract: <contract address>.<contract name>' } },
  ),
  entry(
    'find',
    'Find tokens, collections and contracts in the index by symbol, name or the beginning of an address',
    async () => (await import('./run-find-command.ts')).runFindCommand,
    {
      answers: true,
      argument: { name: '<TEXT>', summary: 'a symbol, a name, a part of a name, or the beginning of an address' },
    },
  ),
  entry(
    'verify',
    'Tell whether a published site is the one that was built here, and which answers differ',
    async () => (await import('./run-verify-command.ts')).runVerifyCommand,
    { answers: true, argument: { name: '<URL>', summary: 'the root of the site, such as https://tokens.example.org' } },
  ),
  entry(
    'compare',
    'Compare what an API answers, field by field, with what a build of the index would answer',
    async () => (await import('./run-compare-command.ts')).runCompareCommand,
    { answers: true, argument: { name: '<URL>', summary: 'the root of the API, such as https://api.hiro.so' } },
  ),
  entry(
    'hosts',
    'List the static hosts that a build can be made for, and what each can do',
    async () => (await import('./run-hosts-command.ts')).runHostsCommand,
    { answers: true },
  ),
  entry(
    'start',
    'Index the bundled sample, build it and serve it',
    async () => (await import('./run-start-command.ts')).runStartCommand,
  ),
];

/** What runs returns an exit status, if it is not 0. */
function entry<Name extends keyof typeof OPTIONS>(
  name: Name,
  summary: string,
  load: () => Promise<(settings: SettingsOf<Name>, context: Context, argument: string) => Promise<number | undefined>>,
  { answers = false, argument }: { answers?: boolean; argument?: CommandArgument } = {},
): CommandEntry {
  const options = OPTIONS[name];
  return {
    name,
    summary,
    options,
    argument,
    answers,
    run: async (parsed, context) =>
      (await (await load())(readSettings(options, parsed), context, parsed.args[0] ?? '')) ?? EXIT_OK,
  };
}
