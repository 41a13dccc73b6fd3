// Says which known names are near to an unknown one, as commander does for flags.
import { Command } from 'commander';

/** `Did you mean public-url?`, or where nothing is near, where all names are. `known` are names of flags. */
export function didYouMean(name: string, known: readonly string[], write = (key: string) => key): string {
  const plain = name.replace(/^-+/, '').replaceAll('_', '-').toLowerCase();
  const near = known.includes(plain) ? [plain] : nearest(plain, known);
  return near.length === 0 ? 'docs/commands.md lists them all.' : `Did you mean ${near.map(write).join(' or ')}?`;
}

/** Commander suggests names only in the message of its error. */
function nearest(name: string, known: readonly string[]): string[] {
  const parser = new Command()
    .exitOverride()
    .helpOption(false)
    .configureOutput({ outputError() {} });
  for (const candidate of known) parser.option(`--${candidate}`);
  try {
    parser.parse([`--${name}`], { from: 'user' });
    return [];
  } catch (error) {
    const [, suggestion = ''] = (error as Error).message.split('\n');
    return suggestion.match(/(?<=--)[\w-]+/g) ?? [];
  }
}
