// Explains arguments that a command does not take, by the flag before them.
import type { Command } from 'commander';
import { commandLine, isInstalled, shellQuote } from '#text/command-line.ts';
import type { CommandEntry } from './commands.ts';

/** Returns a sentence with the remedy. `args` is the command line, and `command` its parsed form. */
export function adviseOnExcess({ name, argument, options }: CommandEntry, command: Command, args: readonly string[]) {
  const optionBefore = (value: string) => {
    const flag = args.slice(0, args.lastIndexOf(value)).findLast((arg) => arg.startsWith('--'));
    return Object.values(options).find(({ long }) => long === flag?.split('=')[0]);
  };
  // A shell replaces a pattern such as *.gz by several values.
  const further = command.args.find((value) => optionBefore(value)?.kind === 'list');
  if (further !== undefined) {
    const option = optionBefore(further);
    const values: readonly string[] = command.getOptionValue(option?.attributeName() ?? '');
    const all = [...values.slice(-1), further].map((value) => `${option?.long} ${shellQuote(value)}`);
    return `Repeat ${option?.long} for each value: ${all.join(' ')}`;
  }
  if (argument !== undefined)
    return `${name} takes one ${argument.name}, as in: ${commandLine(name, argument.example)}`;
  const option = optionBefore(command.args[0] ?? '');
  if (option === undefined)
    return isInstalled ? '' : `With npm, flags come after --, as in: ${commandLine('build', '--hosts nginx')}`;
  return option.kind === 'switch'
    ? `${option.long} takes no value.`
    : `Quote a value of ${option.long} that has spaces.`;
}
