// Checks that a build fits the limits of its hosts: before rendering by counts of the index, and later by the planned
// files.
import type { Host, HostLimit } from '#hosts/host.ts';
import { stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { standardsOf } from '#routes/subject.ts';
import type { StoreReader } from '#store/index-database.ts';
import { countAllContracts, countServedTokens } from '#store/status/counts.ts';
import { countNumberedTokens } from '#store/tokens/collection-states.ts';
import { formatCount } from '#text/format-count.ts';
import type { BuildOptions } from './build-options.ts';
import type { Measures } from './record/recorded-files.ts';

/**
 * Throws FailureError `host-limit` if the planned files exceed the limit of a host. Warns if they exceed a lower limit,
 * such as the limit of a free plan.
 */
export function checkLimits(hosts: readonly Host[], totals: Measures, reporter: Reporter): void {
  for (const host of hosts) {
    for (const limit of host.limits) {
      const { of, max, warnsAbove } = limit;
      const [value, where] = measure(limit, totals);
      if (value > max) throw refuse(host, limit, `${formatCount(value)}${where}`);
      const has = `this build has ${formatCount(value)}`;
      if (warnsAbove !== undefined && value > warnsAbove.max)
        reporter.warn(`${host.name}: ${has} ${of}, more than ${formatCount(warnsAbove.max)}: ${warnsAbove.because}.`);
    }
  }
}

/**
 * Throws FailureError `host-limit` if counts of the index already prove that the site would exceed the limit of a host.
 */
export async function checkCounts(
  reader: StoreReader,
  { hosts, only }: Pick<BuildOptions, 'hosts' | 'only'>,
): Promise<void> {
  if (hosts.every(({ limits }) => limits.length === 0)) return;
  const standards = standardsOf({ only });
  const contracts = await (standards ? countServedTokens(reader, standards) : countAllContracts(reader));
  const numbered = await countNumberedTokens(reader);
  const kinds = (['sip-009', 'sip-013'] as const).filter((standard) => standards?.includes(standard) ?? true);
  const tokens = kinds.reduce((sum, standard) => sum + numbered[standard], 0);
  // Each contract has at least one file, and each token of a collection has at least one file.
  const atLeast = { files: contracts + tokens, 'files in a folder': contracts };
  for (const host of hosts)
    for (const limit of host.limits) {
      const value = limit.of === 'files' || limit.of === 'files in a folder' ? atLeast[limit.of] : 0;
      if (value > limit.max) throw refuse(host, limit, `at least ${formatCount(value)}`);
    }
}

function refuse({ name }: Host, { of, max, advice }: HostLimit, has: string): Error {
  const refusal = `${name} takes at most ${formatCount(max)} ${of}, and this build has ${has}.`;
  return stop('host-limit', `${refusal} ${advice} Nothing was written.`);
}

function measure({ of }: HostLimit, totals: Measures): [number, string] {
  const { files, bytes, largestFile, largestFolder } = totals;
  switch (of) {
    case 'files':
      return [files, ''];
    case 'bytes':
      return [bytes, ''];
    case 'bytes in a file':
      return [largestFile.bytes, ` in ${largestFile.path}`];
    case 'files in a folder':
      return [largestFolder.files, ` in ${largestFolder.path}`];
  }
}
