// stxpress hosts: lists the supported static hosts, with the abilities and limits of each.

import { HOSTS } from '#hosts/all.ts';
import { ABILITIES, describeLimits, shortcomings } from '#hosts/host.ts';
import { commandLine } from '#text/command-line.ts';
import type { Context } from './world.ts';

export async function run(_: object, context: Context): Promise<undefined> {
  const blocks = HOSTS.map((host) => {
    const exceptions = shortcomings(host).map(([what, instead]) => `    ${what}: ${instead}`);
    const limits = describeLimits(host);
    return [
      `${host.name}: ${host.title}`,
      `  use: ${host.use}`,
      ...(exceptions.length === 0 ? ['  supports everything'] : ['  supports everything except:', ...exceptions]),
      ...(limits.length === 0 ? [] : [`  limits: ${limits.join(', ')}`]),
    ].join('\n');
  });
  const abilities = Object.values(ABILITIES).map(({ label, means }) => `  ${label}: ${means}`);
  const text = [
    ...blocks,
    ['Everything is:', ...abilities].join('\n'),
    `Build with: ${commandLine('build', '--host NAME[,NAME …]')}`,
  ];
  context.print(text.join('\n\n').replaceAll('`', ''));
}
