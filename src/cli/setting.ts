// Defines settings: options of commander with the type of the value, and with names for the environment and the
// configuration file.
import { type Command, InvalidArgumentError, Option } from 'commander';

export const ENVIRONMENT_PREFIX = 'STXPRESS_';
/** The default maximum of a setting that is a number. */
const MAX_NUMBER = 999_999_999;

export class Setting<Value = unknown> extends Option {
  /** The type of the value, for the type `Settings`; the field does not exist at run time. */
  declare readonly type: Value;
  readonly kind: 'switch' | 'number' | 'text' | 'list';
  /** The key in the configuration file. */
  readonly key: string;
  /** The environment variable. Commander's `env` is not used: it reads the environment of the process. */
  readonly variable: string;

  constructor(kind: Setting['kind'], flags: string, summary: string, key?: string) {
    super(flags, summary);
    this.kind = kind;
    this.key = key ?? this.name();
    this.variable = environmentName(this.key);
    // A switch that begins with `--no-` is on by default.
    if (this.negate) this.default(true);
  }

  withDefault(value: NonNullable<Value>): Setting<NonNullable<Value>> {
    return this.default(value, String(value)) as Setting<NonNullable<Value>>;
  }
}

export function environmentName(key: string): string {
  return `${ENVIRONMENT_PREFIX}${key.toUpperCase().replaceAll('-', '_')}`;
}

export type SettingGroup = Readonly<Record<string, Setting>>;
export type Settings<Group extends SettingGroup> = { readonly [Name in keyof Group]: Group[Name]['type'] };

/** Returns the values of a group of settings in a parsed command; without a command, returns the defaults. */
export function readSettings<Group extends SettingGroup>(group: Group, command?: Command): Settings<Group> {
  const values = Object.entries(group).map(([name, setting]) => {
    const unset = { switch: false, list: [], number: undefined, text: undefined }[setting.kind];
    return [name, command?.getOptionValue(setting.attributeName()) ?? setting.defaultValue ?? unset];
  });
  return Object.fromEntries(values) as Settings<Group>;
}

export function onOff(flags: string, summary: string): Setting<boolean> {
  return new Setting<boolean>('switch', flags, summary);
}

/** Returns a text setting. The default parser rejects the empty string. */
export function text(flags: string, summary: string, parse = parseText, key?: string): Setting<string | undefined> {
  return new Setting<string | undefined>('text', flags, summary, key).argParser(parse);
}

export function oneOf<Choice extends string>(flags: string, summary: string, choices: readonly Choice[]) {
  return new Setting<Choice | undefined>('text', flags, summary).choices(choices);
}

export function wholeNumber(flags: string, summary: string, { min = 0, max = MAX_NUMBER } = {}) {
  return new Setting<number | undefined>('number', flags, summary).argParser((text: string) => {
    if (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
  });
}

/**
 * The maximum of a setting in seconds. A timer can wait 24 days at most, and the last attempt in the VM gets eight
 * times the configured limit.
 */
const MAX_SECONDS = 86_400;

export function seconds(flags: string, summary: string, { min = 1 } = {}) {
  return wholeNumber(flags, summary, { min, max: MAX_SECONDS });
}

const DURATION_UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns a setting whose value is a number of milliseconds. `isTimer`: accepts only 1 ms to 24 hours. */
export function duration(flags: string, summary: string, { isTimer = false } = {}): Setting<number | undefined> {
  return new Setting<number | undefined>('text', flags, summary).argParser((text: string) => {
    const [, number, unit = ''] = /^(\d{1,6})(ms|[smhd])$/.exec(text) ?? [];
    if (number === undefined) throw new InvalidArgumentError('Use a duration such as 90s, 15m, 12h or 7d.');
    const ms = Number(number) * (DURATION_UNITS_MS[unit] ?? 0);
    if (isTimer && (ms === 0 || ms > MAX_SECONDS * 1_000))
      throw new InvalidArgumentError('Use a duration from 1ms to 24h.');
    return ms;
  });
}

/** Returns a setting with several values: repeated on the command line, separated by commas in the environment. */
export function list(
  flags: string,
  summary: string,
  { key, parse = parseText }: { key?: string; parse?: (text: string) => string } = {},
): Setting<readonly string[]> {
  const setting = new Setting<readonly string[]>('list', flags, summary, key);
  return setting.argParser((text: string, previous: readonly string[] = []) => {
    if (text === '-' && previous.includes('-')) throw new InvalidArgumentError('Standard input can be read only once.');
    return [...previous, parse(text)];
  });
}

export function parseText(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}
