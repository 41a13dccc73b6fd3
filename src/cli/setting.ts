// A setting: an option of commander that knows the type of its value, and its names outside the command line.
import { type Command, InvalidArgumentError, Option } from 'commander';

export const ENVIRONMENT_PREFIX = 'STXPRESS_';
/** Enough for every number that is a setting, and exact. */
const MOST = 999_999_999;

export class Setting<Value = unknown> extends Option {
  /** For the type `Settings` only: there is no such field. */
  declare readonly type: Value;
  readonly kind: 'switch' | 'number' | 'text' | 'list';
  /** In the configuration file. */
  readonly key: string;
  /** In the environment. Not commander's `env`, which reads that of the process. */
  readonly variable: string;

  constructor(kind: Setting['kind'], flags: string, summary: string, key?: string) {
    super(flags, summary);
    this.kind = kind;
    this.key = key ?? this.name();
    this.variable = environmentName(this.key);
    // A switch that begins with `--no-` is on until it is given.
    if (this.negate) this.default(true);
  }

  or(value: NonNullable<Value>): Setting<NonNullable<Value>> {
    return this.default(value, String(value)) as Setting<NonNullable<Value>>;
  }
}

export function environmentName(key: string): string {
  return `${ENVIRONMENT_PREFIX}${key.toUpperCase().replaceAll('-', '_')}`;
}

export type SettingGroup = Readonly<Record<string, Setting>>;
export type Settings<Group extends SettingGroup> = { readonly [Name in keyof Group]: Group[Name]['type'] };

/** The values of a group in a command that was parsed; without one, the defaults. */
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

/** The default parser refuses the empty string. */
export function text(flags: string, summary: string, parse = parseText): Setting<string | undefined> {
  return new Setting<string | undefined>('text', flags, summary).argParser(parse);
}

export function oneOf<Choice extends string>(flags: string, summary: string, choices: readonly Choice[]) {
  return new Setting<Choice | undefined>('text', flags, summary).choices(choices);
}

export function wholeNumber(flags: string, summary: string, { least = 0, most = MOST } = {}) {
  return new Setting<number | undefined>('number', flags, summary).argParser((text: string) => {
    if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
  });
}

/** A timer takes at most 24 days, and the VM's last attempt has eight times its limit. */
const MOST_SECONDS = 86_400;

export function seconds(flags: string, summary: string, { least = 1 } = {}) {
  return wholeNumber(flags, summary, { least, most: MOST_SECONDS });
}

const DURATION_UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** In milliseconds. */
export function duration(flags: string, summary: string, { isTimer = false } = {}): Setting<number | undefined> {
  return new Setting<number | undefined>('text', flags, summary).argParser((text: string) => {
    const [, number, unit = ''] = /^(\d{1,6})(ms|[smhd])$/.exec(text) ?? [];
    if (number === undefined) throw new InvalidArgumentError('It takes a duration such as 90s, 15m, 12h or 7d.');
    const ms = Number(number) * (DURATION_UNITS_MS[unit] ?? 0);
    if (isTimer && (ms === 0 || ms > MOST_SECONDS * 1_000))
      throw new InvalidArgumentError('It takes a duration from 1ms to 24h.');
    return ms;
  });
}

/** May be repeated on the command line; in the environment, commas separate its items. */
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
