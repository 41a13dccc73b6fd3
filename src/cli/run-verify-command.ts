// stxpress verify: checks whether a published site matches the local build, and lists the responses that differ.

import { type Verified, verifySite } from '#compare/verify-site.ts';
import { withFinishedBuild } from '#generator/finished-build.ts';
import { FailureError, isFailure } from '#model/failure.ts';
import { ServerClient } from '#net/server-client.ts';
import { formatCount } from '#text/format-count.ts';
import { count } from './amounts.ts';
import { describeUnread } from './describe-comparison.ts';
import { serverOptions } from './open-network.ts';
import type { SettingsOf } from './options.ts';
import { readUrl } from './read-url.ts';
import { firstLines, joinLines } from './terminal-reporter.ts';
import { type Context, EXIT_FAILED, EXIT_OK, EXIT_TRY_AGAIN } from './world.ts';

/** The maximum number of responses to read in parts that differ. If there are more, the site is likely another one. */
const MAX_DIFFERING = 5_000;
/** The maximum number of listed responses; `--json` prints all. */
const MAX_NAMED = 50;

export async function run(settings: SettingsOf<'verify'>, context: Context, argument: string): Promise<number> {
  const { out, json, all, read, concurrency } = settings;
  const { reporter } = context;
  const url = readUrl('The site', argument, 'https://tokens.example.org');
  await using reader = new ServerClient(serverOptions(url, settings, context.signal));
  const verified = await withFinishedBuild(out, (record) =>
    verifySite(record, {
      reader,
      concurrency,
      sample: all ? Number.MAX_SAFE_INTEGER : read,
      maxResponses: all ? Number.MAX_SAFE_INTEGER : MAX_DIFFERING,
      onRead: (done, total) => reporter.progress({ task: 'verify', done, total, unit: 'items' }),
    }),
  );
  if (isFailure(verified))
    throw new FailureError({
      ...verified,
      message: `${url}: ${verified.message}`,
      retryable: verified.code !== 'source-invalid',
    });
  context.print(json ? JSON.stringify(verified, null, 2) : describe(verified, url, out));
  if (isOther(verified)) return EXIT_FAILED;
  return verified.failures.length > 0 ? EXIT_TRY_AGAIN : EXIT_OK;
}

function isOther({ here, there: published, differences }: Verified): boolean {
  return here !== published || differences.length > 0;
}

function describe(verified: Verified, url: string, out: string): string {
  const { here, there: published, buckets, answers, read, unread, differences, more, failures } = verified;
  const what = `${formatCount(read)} of its ${count(answers, 'response')} ${read === 1 ? 'was' : 'were'} checked`;
  const named = differences.map(({ path, what }) => `  ${what.padEnd(7)}  ${path}`);
  const isSame = published === here;
  return joinLines(
    !isOther(verified)
      ? `${url} is the site of ${out}, ${here}: ${what}.`
      : isSame
        ? `${url} has the hash of ${out}, but other responses: ${what}.`
        : `${url} is not the site of ${out}: ${what}.`,
    !isSame &&
      (published === undefined
        ? 'It has no metadata/v1/site, so its hash is unknown.'
        : `The hash of the site is ${published}.`),
    !isSame && `The hash of the build is ${here}.`,
    buckets.length > 0 && `Parts that differ: ${formatCount(buckets.length)} of 256.`,
    firstLines(named, MAX_NAMED, '  '),
    more.length > 0 &&
      `These parts have all responses of ${out}, but other hashes: ${more.join(', ')}. The site has more responses, or ` +
        'its hash is an earlier one, because it is being published or was cached: verify again later.',
    unread > 0 && `${count(unread, 'response')} in parts that differ were not checked; use --all to check them.`,
    describeUnread(failures, MAX_NAMED),
  );
}
