// Writes a command of the project that can be pasted into a shell, with the places that a run was given.
import { commandLine, shellQuote } from '#text/command-line.ts';
import { OPTIONS } from './options.ts';
import type { SettingGroup } from './setting.ts';

const PLACES = ['db', 'out'] as const;

/** `npm run status -- --db FILE`: with those places that are not the defaults. */
export function commandWith(
  command: keyof typeof OPTIONS,
  given: { readonly [Place in (typeof PLACES)[number]]?: string },
  ...flags: readonly string[]
): string {
  const options: SettingGroup = OPTIONS[command];
  const places = PLACES.flatMap((place) => {
    const [option, value] = [options[place], given[place]];
    return option?.long == null || value === undefined || value === option.defaultValue ? [] : [option.long, value];
  });
  return commandLine(command, [...places, ...flags].map(shellQuote).join(' '));
}
