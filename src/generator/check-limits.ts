// Checks that a build fits the limits of its hosts: before rendering by counts of the index, and later by the planned
// files.
import type { Host, HostLimit } from '#hosts/host.ts';
import { stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import {
  type CollectionStandard,
  isCollectionStandard,
  ONLY,
  type Only,
  TOKEN_STANDARDS,
  type TokenStandard,
} from '#model/token.ts';
import { standardsOf } from '#routes/subject.ts';
import type { StoreReader } from '#store/index-database.ts';
import { countAllContracts, countServedTokens } from '#store/status/counts.ts';
import { countNumberedTokens, countTokensOfAll } from '#store/tokens/collection-states.ts';
import { formatCount } from '#text/format-count.ts';
import type { BuildOptions } from './build-options.ts';
import type { Measures } from './record/recorded-files.ts';

/** Counts of an index, which bound the number of files of its builds. */
export interface SiteCounts {
  readonly contracts: number;
  /** The number of tokens and collections. */
  readonly served: Readonly<Record<TokenStandard, number>>;
  /** The number of tokens of collections. */
  readonly numbered: Readonly<Record<CollectionStandard, number>>;
  /** The number of tokens of the largest collection. */
  readonly largestCollection: number;
}

/** The hosts of a build, with the counts of its index. */
export interface LimitCheck extends Pick<BuildOptions, 'hosts' | 'only'> {
  readonly counts: SiteCounts;
}

/** Returns undefined if no host has a limit. */
export async function readLimitCheck(
  reader: StoreReader,
  { hosts, only }: Pick<BuildOptions, 'hosts' | 'only'>,
): Promise<LimitCheck | undefined> {
  if (hosts.every(({ limits }) => limits.length === 0)) return undefined;
  const served = { 'sip-009': 0, 'sip-010': 0, 'sip-013': 0 };
  for (const standard of TOKEN_STANDARDS) served[standard] = await countServedTokens(reader, [standard]);
  const sizes = await countTokensOfAll(reader);
  const counts = {
    contracts: await countAllContracts(reader),
    served,
    numbered: await countNumberedTokens(reader),
    largestCollection: sizes.reduce((left, right) => Math.max(left, right), 0),
  };
  return { hosts, only, counts };
}

/**
 * Throws FailureError `host-limit` if the planned files exceed the limit of a host. Warns if they exceed a lower limit,
 * such as the limit of a free plan.
 */
export function checkLimits(check: LimitCheck, totals: Measures, reporter: Reporter): void {
  for (const host of check.hosts) {
    for (const limit of host.limits) {
      const { of, max, warnsAbove } = limit;
      const [value, where] = measure(limit, totals);
      if (value > max) throw refuse(host, limit, `${formatCount(value)}${where}`, check);
      const has = `this build has ${formatCount(value)}`;
      if (warnsAbove !== undefined && value > warnsAbove.max)
        reporter.warn(`${host.name}: ${has} ${of}, more than ${formatCount(warnsAbove.max)}: ${warnsAbove.because}.`);
    }
  }
}

/**
 * Throws FailureError `host-limit` if counts of the index already prove that the site would exceed the limit of a host.
 */
export function checkCounts(check: LimitCheck): void {
  for (const host of check.hosts)
    for (const limit of host.limits) {
      const value = leastOf(limit, check.counts, check.only);
      if (value > limit.max) throw refuse(host, limit, `at least ${formatCount(value)}`, check);
    }
}

/** The files of each contract, and those of each token and collection in addition: its status and its response. */
const FILES_OF_CONTRACT = 1;
const FILES_OF_TOKEN = 2;
/** A build is assumed to fit if its least number of files is this part of the limit: images and locales add files. */
const SAFE_PART = 0.5;

/** Returns the least value that a build can have, by counts; 0 for sizes. */
function leastOf({ of }: HostLimit, counts: SiteCounts, only: Only | undefined): number {
  const standards = standardsOf({ only }) ?? TOKEN_STANDARDS;
  const sum = (numbers: Readonly<Partial<Record<TokenStandard, number>>>) =>
    standards.reduce((total, standard) => total + (numbers[standard] ?? 0), 0);
  const contracts = only === undefined ? counts.contracts : sum(counts.served);
  switch (of) {
    case 'files':
      return FILES_OF_CONTRACT * contracts + FILES_OF_TOKEN * sum(counts.served) + sum(counts.numbered);
    case 'files in a folder':
      return Math.max(contracts, standards.some(isCollectionStandard) ? counts.largestCollection : 0);
    default:
      return 0;
  }
}

/** Returns advice to leave out parts of the site, if a smaller build fits the limit by a wide margin; otherwise empty. */
function adviseSmaller(limit: HostLimit, { counts, only }: LimitCheck): string {
  if (limit.of !== 'files' && limit.of !== 'files in a folder') return '';
  const smaller: readonly Only[] = only === undefined ? ONLY : only === 'tokens' ? ONLY.slice(1) : [];
  const fits = smaller.filter((part) => {
    const least = leastOf(limit, counts, part);
    return least > 0 && least <= limit.max * SAFE_PART;
  });
  const [widest] = fits;
  if (widest === undefined) return '';
  const flags = (widest === 'tokens' ? [widest] : fits).map((part) => `--only ${part}`);
  return ` Or build a part of the site: ${flags.join(' or ')}.`;
}

function refuse({ name }: Host, limit: HostLimit, has: string, check: LimitCheck): Error {
  const { of, max, advice } = limit;
  const refusal = `${name} takes at most ${formatCount(max)} ${of}, and this build has ${has}.`;
  return stop('host-limit', `${refusal} ${advice}${adviseSmaller(limit, check)} Nothing was written.`);
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
