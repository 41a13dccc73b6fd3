// The commands: name, summary, options and what runs. Each is loaded when it runs: none waits for another's packages.
import type { Command } from 'commander';
import type { Context } from './context.ts';
import {
  BUILD_OPTIONS,
  COMPARE_OPTIONS,
  FIND_OPTIONS,
  FOLLOW_OPTIONS,
  INDEX_OPTIONS,
  MERGE_OPTIONS,
  PUBLISH_OPTIONS,
  REPORTING_OPTIONS,
  SERVE_OPTIONS,
  SHOW_OPTIONS,
  START_OPTIONS,
  STATUS_OPTIONS,
  VERIFY_OPTIONS,
} from './options.ts';
import { readSettings, type Setting, type SettingGroup, type Settings } from './setting.ts';

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
    INDEX_OPTIONS,
    async (settings, context) => (await import('./run-index-command.ts')).runIndexCommand(settings, context),
  ),
  entry('build', 'Render the index into static files', BUILD_OPTIONS, async (settings, context) =>
    (await import('./run-build-command.ts')).runBuildCommand(settings, context),
  ),
  entry(
    'merge',
    'Build what all shards have in common (lists, search files, pages) from their exports',
    MERGE_OPTIONS,
    async (settings, context) => (await import('./run-merge-command.ts')).runMergeCommand(settings, context),
  ),
  entry(
    'publish',
    'Send a build to a bucket of S3 or a folder: only what changed',
    PUBLISH_OPTIONS,
    async (settings, context) => (await import('./run-publish-command.ts')).runPublishCommand(settings, context),
  ),
  entry(
    'follow',
    "Take a node's events as they come: write an archive of them, index it, and build and publish the site",
    FOLLOW_OPTIONS,
    async (settings, context) => (await import('./run-follow-command.ts')).runFollowCommand(settings, context),
  ),
  entry('serve', 'Serve a build on this machine', SERVE_OPTIONS, async (settings, context) =>
    (await import('./run-serve-command.ts')).runServeCommand(settings, context),
  ),
  entry(
    'status',
    'Show what the index holds, what is left to do and what went wrong',
    STATUS_OPTIONS,
    async (settings, context) => (await import('./run-status-command.ts')).runStatusCommand(settings, context),
    { answers: true },
  ),
  entry(
    'show',
    'Show what the index knows about a contract or its token, and why something is missing, without a build',
    SHOW_OPTIONS,
    async (settings, context, id) => (await import('./run-show-command.ts')).runShowCommand(settings, id, context),
    { answers: true, argument: { name: '<PRINCIPAL>', summary: 'the contract: <contract address>.<contract name>' } },
  ),
  entry(
    'find',
    'Find tokens, collections and contracts in the index by symbol, name or the beginning of an address',
    FIND_OPTIONS,
    async (settings, context, text) => (await import('./run-find-command.ts')).runFindCommand(settings, text, context),
    {
      answers: true,
      argument: { name: '<TEXT>', summary: 'a symbol, a name, a part of a name, or the beginning of an address' },
    },
  ),
  entry(
    'verify',
    'Tell whether a published site is the one that was built here, and which answers differ',
    VERIFY_OPTIONS,
    async (settings, context, url) =>
      (await import('./run-verify-command.ts')).runVerifyCommand(settings, url, context),
    { answers: true, argument: { name: '<URL>', summary: 'the root of the site, such as https://tokens.example.org' } },
  ),
  entry(
    'compare',
    'Compare what an API answers, field by field, with what a build of the index would answer',
    COMPARE_OPTIONS,
    async (settings, context, url) =>
      (await import('./run-compare-command.ts')).runCompareCommand(settings, url, context),
    { answers: true, argument: { name: '<URL>', summary: 'the root of the API, such as https://api.hiro.so' } },
  ),
  entry(
    'hosts',
    'List the static hosts that a build can be made for, and what each can do',
    {},
    async (_, context) => (await import('./run-hosts-command.ts')).runHostsCommand(context),
    { answers: true },
  ),
  entry('start', 'Index the bundled sample, build it and serve it', START_OPTIONS, async (settings, context) =>
    (await import('./run-start-command.ts')).runStartCommand(settings, context),
  ),
];

/** Every option once, those of the program first. */
export const ALL_OPTIONS: readonly Setting[] = [
  ...new Set([REPORTING_OPTIONS, ...COMMANDS.map(({ options }) => options)].flatMap(Object.values<Setting>)),
];

function entry<Options extends SettingGroup>(
  name: string,
  summary: string,
  options: Options,
  run: (settings: Settings<Options>, context: Context, argument: string) => Promise<number>,
  { answers = false, argument }: { answers?: boolean; argument?: CommandArgument } = {},
): CommandEntry {
  return {
    name,
    summary,
    options,
    argument,
    answers,
    run: (parsed, context) => run(readSettings(options, parsed), context, parsed.args[0] ?? ''),
  };
}
