// stxpress publish: sends a build to a bucket or a folder.
import { stop } from '#model/failure.ts';
import { formatCount } from '#model/format-count.ts';
import { FolderTarget } from '#publish/folder-target.ts';
import { runPublish } from '#publish/run-publish.ts';
import { S3Target } from '#publish/s3-target.ts';
import type { Target } from '#publish/target.ts';
import { count, formatBytes } from './amounts.ts';
import { readAwsCredentials, readAwsRegion } from './aws-credentials.ts';
import type { Context } from './context.ts';
import { EXIT_OK } from './exit-status.ts';
import type { PUBLISH_OPTIONS } from './options.ts';
import { readUrl } from './read-url.ts';
import type { Settings } from './setting.ts';

type PublishSettings = Settings<typeof PUBLISH_OPTIONS>;

/** As names of buckets are: no slash, nothing that a URL would read otherwise. */
const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*?))?\/?$/;
const FOLDER_URL = /^file:(.+)$/;
/** Where a region is told and means nothing. */
const USUAL_REGION = 'us-east-1';

export async function runPublishCommand(settings: PublishSettings, context: Context): Promise<number> {
  const { out, maxDeletes, adopt, takeOver, dryRun, requests: concurrency } = settings;
  const { reporter, signal } = context;
  const target = openTarget(settings, signal);
  const start = performance.now();
  try {
    const onPlanned = dryRun
      ? (changes: readonly { path: string; sha256: string | undefined; bytes: number }[]) => {
          for (const { path, sha256, bytes } of changes) {
            const action = sha256 === undefined ? 'remove' : 'send';
            context.print(`${action} ${path}${sha256 === undefined ? '' : ` (${formatBytes(bytes)})`}`, {
              action,
              path,
              bytes,
            });
          }
        }
      : undefined;
    const summary = await runPublish({
      out,
      target,
      concurrency,
      maxDeletes,
      adopt,
      takeOver,
      onPlanned,
      reporter,
      signal,
    });
    const { sent, sentBytes, removed } = summary;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const what = `${count(sent, 'file')} ${dryRun ? 'to send' : 'sent'} (${formatBytes(sentBytes)}), ${formatCount(removed)} ${dryRun ? 'to remove' : 'removed'}`;
    const isSame = sent + removed === 0;
    context.print(
      isSame
        ? `${target.name} has all of ${out} already.`
        : dryRun
          ? `To publish ${out} to ${target.name}: ${what}.`
          : `Published ${out} to ${target.name} in ${seconds} s: ${what}.`,
      { out, to: target.name, ...summary },
    );
    return EXIT_OK;
  } finally {
    await target.close();
  }
}

/** Throws FailureError `usage`. */
function openTarget({ to, endpoint, region }: PublishSettings, signal: AbortSignal): Target {
  if (to === undefined) throw stop('usage', 'Say where to publish with --to s3://bucket or --to file:folder.');
  const [, folder] = FOLDER_URL.exec(to) ?? [];
  if (folder !== undefined) return new FolderTarget(folder.replace(/^\/\/(?=\/)/, ''));
  const [, bucket, prefix = ''] = S3_URL.exec(to) ?? [];
  if (bucket === undefined)
    throw stop('usage', `--to is ${JSON.stringify(to)}. It takes s3://bucket, s3://bucket/prefix, or file:folder.`);
  return new S3Target({
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint: endpoint === undefined ? undefined : readUrl('--endpoint', endpoint, 'https://s3.example.org'),
    region: region ?? readAwsRegion() ?? USUAL_REGION,
    credentials: readAwsCredentials(),
    signal,
  });
}
