// Writes a command of the project as its reader can run it: with npm in a clone, by its name where it is installed.

/** What is installed is compiled (scripts/compile.ts). */
const isInstalled = !import.meta.url.endsWith('.ts');

/** `npm run build -- --verify`, or `stxpress build --verify`. `args`: what {@link shellQuote} made of them. */
export function commandLine(command: string, args = ''): string {
  if (isInstalled) return args === '' ? `stxpress ${command}` : `stxpress ${command} ${args}`;
  return args === '' ? `npm run ${command}` : `npm run ${command} -- ${args}`;
}

/** An argument as a shell takes it. */
export function shellQuote(argument: string): string {
  return /^[\w%+,./:=@-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}
