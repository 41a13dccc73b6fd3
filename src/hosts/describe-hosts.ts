// Describes what each host can do, for the README and for the terminal.
import { formatCount } from '#text/format-count.ts';
import { HOSTS } from './all.ts';
import { ABILITIES, type Ability, type Host } from './host.ts';

/** What a host does otherwise than it should, by ability. */
export function shortcomings({ abilities }: Host): [string, string][] {
  return (Object.keys(ABILITIES) as Ability[]).flatMap((ability): [string, string][] => {
    const instead = abilities[ability];
    return instead === true ? [] : [[ABILITIES[ability].label, instead]];
  });
}

export function describeLimits({ limits }: Host): string[] {
  return limits.map(({ most, of }) => `${formatCount(most)} ${of}`);
}

/** The table of docs/hosts.md; what hosts do otherwise is below it, once each, by number. */
export function renderHostTable(): string {
  const notes = [...new Set(HOSTS.flatMap(notesOf))];
  const rows = HOSTS.map((host) => {
    const numbers = notesOf(host).map((note) => notes.indexOf(note) + 1);
    const cells = [`\`${host.name}\``, host.use, numbers.join(', ') || '-', describeLimits(host).join(', ') || '-'];
    return `| ${cells.join(' | ')} |\n`;
  });
  const list = notes.map((note, index) => `${index + 1}. ${note}\n`);
  return `| host | how | otherwise | takes at most |\n|---|---|---|---|\n${rows.join('')}\n${list.join('')}`;
}

function notesOf(host: Host): string[] {
  return shortcomings(host).map(([what, instead]) => `${what}: ${instead}`);
}
