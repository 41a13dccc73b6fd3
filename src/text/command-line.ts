// Formats a command of this project for the user to run: through npm in a clone, by name if installed.

/** True in an installed package, which is compiled (scripts/compile.ts). */
export const isInstalled = !import.meta.url.endsWith('.ts');

/** Returns `npm run build -- --full` or `stxpress build --full`. `args` is output of {@link shellQuote}. */
export function commandLine(command: string, args = ''): string {
  if (isInstalled) return args === '' ? `stxpress ${command}` : `stxpress ${command} ${args}`;
  return args === '' ? `npm run ${command}` : `npm run ${command} -- ${args}`;
}

export function shellQuote(argument: string): string {
  return /^[\w%+,./:=@-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns advice for a URL in place of a file, without its secrets; undefined for a path. */
export function adviseOnUrl(path: string): string | undefined {
  const url = /^[a-z][a-z\d+.-]+:\/\//i.test(path) ? URL.parse(path) : null;
  if (url === null) return undefined;
  return `${url.protocol}//${url.host}${url.pathname} is a URL. Download the file first (curl -LO), and pass its path.`;
}
