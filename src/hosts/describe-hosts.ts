// Describes what each host can do, for the documentation and for the terminal.
import { formatCount } from '#text/format-count.ts';
import { ABILITIES, type Ability, type Host } from './host.ts';

/** Returns what a host does otherwise than it should: the label of the ability, and what happens instead. */
export function shortcomings({ otherwise }: Host): [string, string][] {
  return (Object.keys(ABILITIES) as Ability[]).flatMap((ability) => {
    const instead = otherwise[ability];
    return instead === undefined ? [] : [[ABILITIES[ability].label, instead]];
  });
}

export function describeLimits({ limits }: Host): string[] {
  return limits.map(({ most, of }) => `${formatCount(most)} ${of}`);
}
