// Writes a command of the project as its reader can run it: through npm in a clone, by its name if installed.

/** An installed package is compiled (scripts/compile.ts). */
const isInstalled = !import.meta.url.endsWith('.ts');

/** `npm run build -- --verify`, or `stxpress build --verify`. `args`: output of {@link shellQuote}. */
export function commandLine(command: string, args = ''): string {
  if (isInstalled) return args === '' ? `stxpress ${command}` : `stxpress ${command} ${args}`;
  return args === '' ? `npm run ${command}` : `npm run ${command} -- ${args}`;
}

export function shellQuote(argument: string): string {
  return /^[\w%+,./:=@-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}
