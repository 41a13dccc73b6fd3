// Writes a command of the project that can be pasted into a shell.
import { BUILD_OPTIONS, INDEX_OPTIONS, SERVE_OPTIONS, STATUS_OPTIONS } from './options.ts';
import type { SettingGroup } from './setting.ts';

const OPTIONS = { index: INDEX_OPTIONS, build: BUILD_OPTIONS, serve: SERVE_OPTIONS, status: STATUS_OPTIONS };
/** The settings that say which index and which folder. */
const PLACES = ['db', 'out', 'dir'] as const;

/** `npm run status -- --db FILE`: with the places that a run was given, where they are not the defaults. */
export function npmRun(
  command: keyof typeof OPTIONS,
  given: { readonly [Place in (typeof PLACES)[number]]?: string },
  ...flags: readonly string[]
): string {
  const options: SettingGroup = OPTIONS[command];
  const places = PLACES.flatMap((place) => {
    const [option, value] = [options[place], given[place]];
    return option?.long == null || value === undefined || value === option.defaultValue ? [] : [option.long, value];
  });
  const all = [...places, ...flags].map(quoted).join(' ');
  return `npm run ${command}${all === '' ? '' : ` -- ${all}`}`;
}

function quoted(argument: string): string {
  return /^[\w%+,./:=@-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}
