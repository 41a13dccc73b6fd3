// Sets options that are not on the command line, from the environment and from stxpress.config.json.
import { type Command, InvalidArgumentError } from 'commander';
import { MAX_WRITTEN_BYTES, UnreadableError } from '#files/open-regular.ts';
import { readIfExists } from '#files/read-if-exists.ts';
import { stop } from '#model/failure.ts';
import { ALL_OPTIONS } from './options.ts';
import { ENVIRONMENT_PREFIX, environmentName, Setting } from './setting.ts';
import type { Environment } from './surroundings.ts';

const CONFIG_FILE = 'stxpress.config.json';
const KEYS: readonly string[] = ALL_OPTIONS.map(({ key }) => key);

/**
 * Sets the options that the command line left open in parsed commands. Throws FailureError `usage`, which names the
 * variable or the key.
 */
export function completeSettings(commands: readonly Command[], env: Environment): void {
  const config = readConfigFile();
  for (const command of commands) {
    for (const setting of command.options) if (setting instanceof Setting) complete(command, setting, env, config);
  }
  // Unknown and invalid settings are reported last, when `--quiet` is set. The checks cover all commands.
  const unknown = Object.keys(config).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    throw stop('usage', `${CONFIG_FILE} has the unknown key "${unknown}". ${hintFor(unknown)}`);
  for (const setting of ALL_OPTIONS) parseJson(setting, config[setting.key]);
  checkVariables(env);
}

function checkVariables(env: Environment): void {
  const known = KEYS.map(environmentName);
  const names = Object.keys(env).filter((name) => name.startsWith(ENVIRONMENT_PREFIX) && env[name] !== '');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = hintFor(unknown.slice(ENVIRONMENT_PREFIX.length), environmentName);
  throw stop('usage', `The environment variable ${unknown} is not a setting. ${hint}`);
}

function complete(command: Command, setting: Setting, env: Environment, config: Readonly<Record<string, unknown>>) {
  const name = setting.attributeName();
  if (command.getOptionValueSource(name) === 'cli') return;
  // An empty variable counts as unset: a CI sets one for each missing secret.
  const text = env[setting.variable] || undefined;
  const value = text === undefined ? parseJson(setting, config[setting.key]) : parseVariable(setting, text);
  if (value !== undefined) command.setOptionValueWithSource(name, value, text === undefined ? 'config' : 'env');
}

function parseVariable(setting: Setting, text: string): unknown {
  const { kind, negate, variable } = setting;
  if (kind !== 'switch') return parseAll(setting, kind === 'list' ? text.split(',') : [text], variable);
  if (/^(1|true|yes)$/i.test(text)) return !negate;
  if (/^(0|false|no)$/i.test(text)) return negate;
  throw stop('usage', `${variable} is ${JSON.stringify(text)}. Use 1 or 0.`);
}

function parseJson(setting: Setting, value: unknown): unknown {
  if (value === undefined) return undefined;
  const where = `"${setting.key}" in ${CONFIG_FILE}`;
  const isText = (item: unknown) => typeof item === 'string';
  const [takes, fits] = {
    switch: ['true or false', typeof value === 'boolean'],
    number: ['a number', typeof value === 'number'],
    text: ['a string', isText(value)],
    list: ['a string or a list of strings', [value].flat().every(isText)],
  }[setting.kind];
  if (!fits) throw stop('usage', `${where} needs ${takes}: ${setting.description}.`);
  return typeof value === 'boolean' ? value !== setting.negate : parseAll(setting, [value].flat().map(String), where);
}

/** Parses the texts of a setting to its value. `where`: the variable or the key, for error messages. */
function parseAll(setting: Setting, texts: readonly string[], where: string): unknown {
  return texts.reduce<unknown>((previous, text) => {
    try {
      return setting.parseArg?.(text, previous);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw stop('usage', `${where} is ${JSON.stringify(text)}. ${error.message}`, error);
    }
  }, undefined);
}

function readConfigFile(): Readonly<Record<string, unknown>> {
  let config: unknown;
  try {
    const text = readIfExists(CONFIG_FILE, MAX_WRITTEN_BYTES)?.toString() ?? '{}';
    // Some editors write a byte order mark.
    config = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw stop('usage', `${CONFIG_FILE} ${code === undefined ? 'is not JSON' : 'cannot be read'}: ${message}.`, error);
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw stop('usage', `${CONFIG_FILE} must hold a JSON object.`);
  return config as Record<string, unknown>;
}

/** Returns a hint for an unknown name: its usual form, or where all names are listed. */
function hintFor(name: string, write = (key: string) => key): string {
  const plain = name.replace(/^-+/, '').replaceAll('_', '-').toLowerCase();
  return KEYS.includes(plain) ? `Did you mean ${write(plain)}?` : 'All names are in docs/commands.md.';
}
