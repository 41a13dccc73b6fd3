// Settles the value of each flag: command line over environment over stxpress.config.json over default.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { stop } from '#model/failure.ts';
import { ALL, environmentName, FLAGS, type Flag, type FlagKey, settingName } from './flags.ts';

export const CONFIG_FILE = 'stxpress.config.json';

type ValueOf<F extends Flag> = F['kind'] extends 'switch'
  ? boolean
  : F['kind'] extends 'list'
    ? readonly string[]
    : F extends { default: unknown }
      ? F['kind'] extends 'number'
        ? number
        : string
      : (F['kind'] extends 'number' ? number : string) | undefined;

export type Settings<K extends FlagKey> = { readonly [P in K]: ValueOf<(typeof FLAGS)[P]> };

/** The settings of a command that was parsed. Throws FailureError `usage`, which names the flag, variable or file. */
export function readSettings<K extends FlagKey>(command: Command, keys: readonly K[]): Settings<K> {
  const config = readConfigFile();
  checkEnvironment();
  const settings = keys.map((key) => {
    const flag: Flag = FLAGS[key];
    return [
      key,
      fromCommandLine(command, flag) ?? fromEnvironment(flag) ?? fromConfig(config, flag) ?? defaultOf(flag),
    ];
  });
  return Object.fromEntries(settings) as Settings<K>;
}

/** What the settings are where nobody says anything. */
export function readDefaults<K extends FlagKey>(keys: readonly K[]): Settings<K> {
  return Object.fromEntries(keys.map((key) => [key, defaultOf(FLAGS[key])])) as Settings<K>;
}

/** Whether standard error is a terminal that a person looks at. */
export function isInteractive(): boolean {
  return process.stderr.isTTY === true && process.env.CI === undefined;
}

function fromCommandLine(command: Command, flag: Flag): unknown {
  // Commander keeps `--no-vm` as `vm: false`.
  const negated = flag.name.startsWith('no-');
  const attribute = camelCase(negated ? flag.name.slice('no-'.length) : flag.name);
  if (command.getOptionValueSource(attribute) !== 'cli') return undefined;
  if (negated) return true;
  const value: unknown = command.getOptionValue(attribute);
  if (flag.kind === 'list') return readList(flag, value === true ? [ALL] : (value as string[]), `--${flag.name}`);
  return flag.kind === 'switch' ? value : readText(flag, String(value), `--${flag.name}`);
}

/** A mistyped variable is told, as a mistyped flag is. */
function checkEnvironment(): void {
  const known = new Set(Object.values(FLAGS).map(environmentName));
  const unknown = Object.keys(process.env).find((name) => name.startsWith('STXPRESS_') && !known.has(name));
  if (unknown !== undefined)
    throw stop('usage', `The environment has ${unknown}, which is no setting. There are: ${[...known].join(', ')}.`);
}

function fromEnvironment(flag: Flag): unknown {
  const name = environmentName(flag);
  const text = process.env[name];
  if (text === undefined || text === '') return undefined;
  if (flag.kind === 'list') return readList(flag, text.split(','), name);
  if (flag.kind !== 'switch') return readText(flag, text, name);
  if (['1', 'true', 'yes'].includes(text.toLowerCase())) return true;
  if (['0', 'false', 'no'].includes(text.toLowerCase())) return false;
  throw stop('usage', `${name} is ${JSON.stringify(text)}, and takes 1 or 0.`);
}

function fromConfig(config: Record<string, unknown>, flag: Flag): unknown {
  const value = config[settingName(flag)];
  if (value === undefined) return undefined;
  const where = `"${settingName(flag)}" in ${CONFIG_FILE}`;
  switch (flag.kind) {
    case 'switch':
      if (typeof value === 'boolean') return value;
      throw stop('usage', `${where} takes true or false.`);
    case 'list': {
      const list = typeof value === 'string' ? [value] : value;
      if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return readList(flag, list, where);
      throw stop('usage', `${where} takes a text or a list of texts.`);
    }
    default:
      if (typeof value === (flag.kind === 'number' ? 'number' : 'string')) return readText(flag, String(value), where);
      throw stop('usage', `${where} takes ${flag.kind === 'number' ? 'a number' : 'a text'}.`);
  }
}

function readText(flag: Flag, text: string, where: string): string | number {
  if (text === '' || (flag.name === 'db' && text === ':memory:'))
    throw stop('usage', `${where} is ${JSON.stringify(text)}, and takes ${flag.value}.`);
  if (flag.choices !== undefined && !flag.choices.includes(text)) {
    throw stop('usage', `${where} is ${JSON.stringify(text)}, and takes ${flag.choices.join(' or ')}.`);
  }
  if (flag.kind !== 'number') return text;
  if (!/^\d{1,9}$/.test(text)) throw stop('usage', `${where} is ${JSON.stringify(text)}, and takes a whole number.`);
  if (Number(text) < (flag.least ?? 0))
    throw stop('usage', `${where} is ${text}, and takes a number of ${flag.least} or more.`);
  return Number(text);
}

/** Each of them as a text; a stream can be read only once. */
function readList(flag: Flag, texts: readonly string[], where: string): readonly string[] {
  for (const text of texts) readText(flag, text, where);
  if (texts.filter((text) => text === '-').length > 1) throw stop('usage', `${where} names standard input twice.`);
  return texts;
}

function defaultOf(flag: Flag): unknown {
  if (flag.kind === 'switch') return false;
  return flag.kind === 'list' ? [] : flag.default;
}

function readConfigFile(): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(CONFIG_FILE, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw stop('usage', `${CONFIG_FILE} cannot be read: ${(error as Error).message}.`, error);
  }
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw stop('usage', `${CONFIG_FILE} is not JSON: ${(error as Error).message}.`, error);
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw stop('usage', `${CONFIG_FILE} must hold a JSON object.`);
  const known = Object.values(FLAGS).map(settingName);
  const unknown = Object.keys(config).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw stop('usage', `${CONFIG_FILE} has the unknown key "${unknown}". It may have: ${known.join(', ')}.`);
  return config as Record<string, unknown>;
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
