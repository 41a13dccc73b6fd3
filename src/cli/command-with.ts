// Writes a command of the project that can be pasted into a shell, with the paths that a run was given.
import { commandLine, shellQuote } from '#text/command-line.ts';
import { OPTIONS } from './options.ts';
import type { SettingGroup } from './setting.ts';

const PATHS = ['db', 'out'] as const;

/** `npm run status -- --db FILE`: with those paths that are not the defaults. */
export function commandWith(
  command: keyof typeof OPTIONS,
  given: { readonly [Path in (typeof PATHS)[number]]?: string },
  ...flags: readonly string[]
): string {
  const options: SettingGroup = OPTIONS[command];
  const paths = PATHS.flatMap((path) => {
    const [option, value] = [options[path], given[path]];
    return option?.long == null || value === undefined || value === option.defaultValue ? [] : [option.long, value];
  });
  return commandLine(command, [...paths, ...flags].map(shellQuote).join(' '));
}
