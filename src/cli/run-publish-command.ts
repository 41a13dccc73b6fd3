// stxpress publish: uploads a build to a bucket.
import { stop } from '#model/failure.ts';
import type { PlannedChange } from '#publish/published-record.ts';
import { runPublish } from '#publish/run-publish.ts';
import { count, formatBytes, formatCount } from '#text/format-count.ts';
import { CONCURRENCY, openTarget } from './open-target.ts';
import type { SettingsOf } from './options.ts';
import type { Context } from './surroundings.ts';

export async function run(settings: SettingsOf<'publish'>, context: Context): Promise<undefined> {
  const { to, out, dryRun } = settings;
  const { reporter, signal } = context;
  if (to === undefined) throw stop('usage', 'There is no target. Name one with --to s3://bucket.');
  await using target = await openTarget('--to', to, settings, context);
  const start = performance.now();
  const printPlanned = ({ path, sha256, bytes }: PlannedChange) => {
    const [action, size] = sha256 === null ? ['remove', ''] : ['send', ` (${formatBytes(bytes)})`];
    context.print(`${action} ${path}${size}`);
  };
  const onPlanned = dryRun ? printPlanned : undefined;
  const summary = await runPublish({ ...settings, target, concurrency: CONCURRENCY, onPlanned, reporter, signal });
  const { sent, sentBytes, removed } = summary;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const what = `${count(sent, 'file')} ${dryRun ? 'to send' : 'sent'} (${formatBytes(sentBytes)}), ${formatCount(removed)} ${dryRun ? 'to remove' : 'removed'}`;
  const isSame = sent + removed === 0;
  context.print(
    isSame
      ? `${target.name} already has all files of ${out}.`
      : dryRun
        ? `Publishing ${out} to ${target.name} would change: ${what}.`
        : `Published ${out} to ${target.name} in ${seconds} s: ${what}.`,
  );
}
