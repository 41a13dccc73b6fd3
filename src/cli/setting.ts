// A setting of a command: an option of commander that also knows its type, and its name outside the command line.
import { type Command, InvalidArgumentError, Option } from 'commander';

export const ENVIRONMENT_PREFIX = 'STXPRESS_';

export class Setting<Value = unknown> extends Option {
  /** For the type `Settings` only: there is no such field. */
  declare readonly type: Value;
  readonly kind: 'switch' | 'number' | 'text' | 'list';
  /** Its key in the configuration file: the flag, unless another command has the same flag with another meaning. */
  readonly key: string;

  constructor(kind: Setting['kind'], flags: string, summary: string, key?: string) {
    super(flags, summary);
    this.kind = kind;
    this.key = key ?? this.name();
    this.env(`${ENVIRONMENT_PREFIX}${this.key.toUpperCase().replaceAll('-', '_')}`);
    // Commander has a switch that begins with `--no-` on until it is given.
    if (this.negate) this.default(true);
  }

  valueIn(command: Command): Value {
    return command.getOptionValue(this.attributeName()) ?? this.standard;
  }

  /** The value that nobody has set. */
  get standard(): Value {
    return this.defaultValue ?? { switch: false, list: [], number: undefined, text: undefined }[this.kind];
  }
}

export type SettingGroup = Readonly<Record<string, Setting>>;
export type Settings<Group extends SettingGroup> = { readonly [Name in keyof Group]: Group[Name]['type'] };

/** The values of a group of settings after a command line was parsed; without one, the defaults. */
export function readSettings<Group extends SettingGroup>(group: Group, command?: Command): Settings<Group> {
  const values = Object.entries(group).map(([name, setting]) => [
    name,
    command ? setting.valueIn(command) : setting.standard,
  ]);
  return Object.fromEntries(values) as Settings<Group>;
}

export function onOff(flags: string, summary: string): Setting<boolean> {
  return new Setting<boolean>('switch', flags, summary);
}

export function text<Standard extends string | undefined = undefined>(
  flags: string,
  summary: string,
  standard?: Standard,
): Setting<string | Standard> {
  const setting = new Setting<string | Standard>('text', flags, summary);
  return setting.default(standard, standard).argParser(parseText);
}

export function oneOf<Choice extends string, Standard extends Choice | undefined = undefined>(
  flags: string,
  summary: string,
  choices: readonly Choice[],
  standard?: Standard,
): Setting<Choice | Standard> {
  return new Setting<Choice | Standard>('text', flags, summary).default(standard, standard).choices(choices);
}

/** A whole number, in the same bounds wherever it comes from. */
export function wholeNumber<Standard extends number | undefined = undefined>(
  flags: string,
  summary: string,
  { standard, least = 0, most = 999_999_999 }: { standard?: Standard; least?: number; most?: number } = {},
): Setting<number | Standard> {
  return new Setting<number | Standard>('number', flags, summary).default(standard).argParser((text: string) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
  });
}

const DURATION_UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** In milliseconds. */
export function duration(flags: string, summary: string): Setting<number | undefined> {
  return new Setting<number | undefined>('text', flags, summary).argParser((text: string) => {
    const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
    if (number === undefined) throw new InvalidArgumentError('It takes a duration such as 90s, 15m, 12h or 7d.');
    return Number(number) * (DURATION_UNITS_MS[unit] ?? 0);
  });
}

/** May be repeated on the command line; the environment separates the items by commas. */
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
