// Formats a command of the project for a shell, with the paths of the current run.
import { commandLine, shellQuote } from '#text/command-line.ts';
import { OPTIONS } from './options.ts';
import type { SettingGroup } from './setting.ts';

const PATHS = ['db', 'out'] as const;

/** Returns a command such as `npm run status -- --db FILE`. Omits paths that equal their defaults. */
export function commandWith(
  command: keyof typeof OPTIONS,
  settings: { readonly [Path in (typeof PATHS)[number]]?: string },
  ...flags: readonly string[]
): string {
  const options: SettingGroup = OPTIONS[command];
  const paths = PATHS.flatMap((path) => {
    const [option, value] = [options[path], settings[path]];
    return option?.long == null || value === undefined || value === option.defaultValue ? [] : [option.long, value];
  });
  return commandLine(command, [...paths, ...flags].map(shellQuote).join(' '));
}
