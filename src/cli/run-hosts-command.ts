// stxpress hosts: the static hosts that a build can be made for, and what each can do.
import { HOSTS } from '#hosts/all.ts';
import { describeLimits, shortcomings } from '#hosts/describe-hosts.ts';
import { ABILITIES } from '#hosts/host.ts';
import type { Context } from './context.ts';
import { EXIT_OK } from './exit-status.ts';

export async function runHostsCommand(context: Context): Promise<number> {
  const blocks = HOSTS.map((host) => {
    const others = shortcomings(host).map(([what, instead]) => `    ${what}: ${instead}`);
    const limits = describeLimits(host);
    const lines = [
      `${host.name}: ${host.title}`,
      `  use: ${host.use}`,
      ...(others.length === 0 ? ['  does all of it'] : ['  does all of it, but:', ...others]),
      ...(limits.length === 0 ? [] : [`  takes at most ${limits.join(', ')}`]),
    ];
    return lines.join('\n').replaceAll('`', '');
  });
  const all = ['All of it is:', ...Object.values(ABILITIES).map(({ label, means }) => `  ${label}: ${means}`)].join(
    '\n',
  );
  context.print([...blocks, all.replaceAll('`', ''), 'Build with: stxpress build --host NAME[,NAME …]'].join('\n\n'));
  return EXIT_OK;
}
