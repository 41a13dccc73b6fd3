// stxpress verify: whether a published site is the one that was built here, and where it differs.

import { type Verified, verifySite } from '#compare/verify-site.ts';
import { FailureError, isFailure } from '#model/failure.ts';
import { PoliteReader } from '#net/polite-reader.ts';
import { withFinishedBuild } from '#press/finished-build.ts';
import { formatCount } from '#text/format-count.ts';
import { count } from './amounts.ts';
import { describeUnread } from './describe-comparison.ts';
import { serverOptions } from './open-network.ts';
import type { SettingsOf } from './options.ts';
import { readUrl } from './read-url.ts';
import { firstLines, joinLines } from './terminal-reporter.ts';
import { type Context, EXIT_FAILED, EXIT_OK, EXIT_TRY_AGAIN } from './world.ts';

/** Of parts that differ: more than that is another site anyway. */
const MOST_OF_DIFFERING = 5_000;
/** How many are named; `--json` has all. */
const MAX_NAMED = 50;

export async function run(settings: SettingsOf<'verify'>, context: Context, given: string): Promise<number> {
  const { out, json, all, read, concurrency } = settings;
  const { reporter } = context;
  const url = readUrl('The site', given, 'https://tokens.example.org');
  await using reader = new PoliteReader(serverOptions(url, settings, context.signal));
  const verified = await withFinishedBuild(out, (record) =>
    verifySite(record, {
      reader,
      concurrency,
      sample: all ? Number.MAX_SAFE_INTEGER : read,
      most: all ? Number.MAX_SAFE_INTEGER : MOST_OF_DIFFERING,
      onRead: (done, total) => reporter.progress({ task: 'verify', done, total, unit: 'items' }),
    }),
  );
  if (isFailure(verified))
    throw new FailureError({
      ...verified,
      message: `${url}: ${verified.message}`,
      retryable: verified.code !== 'source-invalid',
    });
  context.print(json ? JSON.stringify(verified, null, 2) : describe(verified, url, out), { ...verified });
  if (isOther(verified)) return EXIT_FAILED;
  return verified.failures.length > 0 ? EXIT_TRY_AGAIN : EXIT_OK;
}

function isOther({ here, there, differences }: Verified): boolean {
  return here !== there || differences.length > 0;
}

function describe(verified: Verified, url: string, out: string): string {
  const { here, there, buckets, answers, read, unread, differences, more, failures } = verified;
  const what = `${formatCount(read)} of its ${count(answers, 'answer')} ${read === 1 ? 'was' : 'were'} read`;
  const named = differences.map(({ path, what }) => `  ${what.padEnd(7)}  ${path}`);
  const isSame = there === here;
  return joinLines(
    !isOther(verified)
      ? `${url} is the site of ${out}, ${here}: ${what}.`
      : isSame
        ? `${url} says that it is the site of ${out}, and is not: ${what}.`
        : `${url} is not the site of ${out}: ${what}.`,
    !isSame &&
      (there === undefined ? 'It has no metadata/v1/site, so its hash is not known.' : `The hash there is ${there}.`),
    !isSame && `The hash here is ${here}.`,
    buckets.length > 0 && `Parts that differ: ${formatCount(buckets.length)} of 256.`,
    firstLines(named, MAX_NAMED, '  '),
    more.length > 0 &&
      `In these parts the site has everything that ${out} has, and another hash: ${more.join(', ')}. Either it has ` +
        'more, or the hash is an earlier one, because it is being published or cached: verify again later.',
    unread > 0 && `${count(unread, 'answer')} of parts that differ were not read: --all reads them.`,
    describeUnread(failures, MAX_NAMED),
  );
}
