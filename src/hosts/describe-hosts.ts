// Describes what each host can do, for the README and for the terminal.
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
  return limits.map(({ most, of }) => `${most.toLocaleString('en')} ${of}`);
}

/** The table of the README. */
export function renderHostTable(): string {
  const rows = HOSTS.map((host) => {
    const others = shortcomings(host).map(([what, instead]) => `${what}: ${instead}`);
    const limits = describeLimits(host);
    return `| \`${host.name}\` | ${host.use} | ${others.join('<br>') || 'does all of it'} | ${limits.join(', ') || '-'} |\n`;
  });
  return `| host | how | otherwise | limits |\n|---|---|---|---|\n${rows.join('')}`;
}
