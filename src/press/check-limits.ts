// Checks whether the hosts of a build would take the site as it is planned.
import type { Host, HostLimit, HostSite } from '#hosts/host.ts';
import { stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { formatCount } from '#text/format-count.ts';
import type { PlannedTotals } from './record/planned-files.ts';

/** Throws FailureError `host-limit` where a host would not take the site, and says what only some plans of it take. */
export function checkLimits(hosts: readonly Host[], site: HostSite, totals: PlannedTotals, reporter: Reporter): void {
  for (const host of hosts) {
    for (const limit of host.limits) {
      const { of, most, warnsAbove, wayOut } = limit;
      const [value, where] = measure(limit, host, site, totals);
      const has = `this build has ${formatCount(value)}`;
      if (value > most) {
        const refusal = `${host.name} takes at most ${formatCount(most)} ${of}, and ${has}${where}.`;
        throw stop('host-limit', `${refusal} ${wayOut} Nothing was written.`);
      }
      if (warnsAbove !== undefined && value > warnsAbove.most)
        reporter.warn(`${host.name}: ${has} ${of}, more than ${formatCount(warnsAbove.most)}: ${warnsAbove.because}.`);
    }
  }
}

function measure({ of }: HostLimit, host: Host, site: HostSite, totals: PlannedTotals): [number, string] {
  const { files, bytes, largestFile, largestFolder } = totals;
  if (of === 'files') return [files, ''];
  if (of === 'bytes') return [bytes, ''];
  if (of === 'bytes in a file') return [largestFile.bytes, ` in ${largestFile.path}`];
  if (of === 'files in a folder') return [largestFolder.files, ` in ${largestFolder.path}`];
  return [host.countRules?.(site) ?? 0, ''];
}
