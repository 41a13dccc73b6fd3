// Opens where to publish to, as flags name it, with credentials and a region where the tools of AWS find them:
// variables (an empty one counts as none), files in ~/.aws, roles of machines. What cannot be meant is refused before
// anything is asked.

import { readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { FailureError, stop } from '#model/failure.ts';
import { openFolderTarget } from '#publish/folder-target.ts';
import { readSite } from '#publish/published-site.ts';
import { openS3Target, type S3Credentials } from '#publish/s3-target.ts';
import type { Target } from '#publish/target.ts';
import { quote } from '#text/quote.ts';
import type { SettingsOf } from './options.ts';
import { readUrl } from './read-url.ts';
import type { Context, Environment } from './world.ts';

type TargetSettings = Pick<SettingsOf<'publish'>, 'out' | 'endpoint' | 'region' | 'requests'>;

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html, without what AWS reserves. */
const BUCKET = /^(?!\d+\.\d+\.\d+\.\d+$)(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** A URL drops these, or reads them as a folder. */
const NO_SEGMENT: ReadonlySet<string> = new Set(['', '.', '..']);
/** Where a region is told and means nothing. */
const USUAL_REGION = 'us-east-1';
const DEFAULT_PROFILE = 'default';
/** For a look at the storage; longer, and it is for the publish to wait. */
const LOOK_MS = 10_000;

/** `flag`: which one holds `to`. Throws FailureError `usage`. */
export async function openTarget(
  flag: string,
  to: string,
  { out, endpoint, region, requests: concurrency }: TargetSettings,
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<Target> {
  const refuse = (why: string) => stop('usage', `${flag} is ${quote(to)}. ${why}`);
  if (to.startsWith('file:')) {
    const folder = to.replace(/^file:(?:\/\/(?=\/))?/, '');
    if (folder === '' || folder.includes('\0')) throw refuse('It takes file:folder.');
    checkIsApart(folder, out);
    return openFolderTarget(folder);
  }
  if (!to.startsWith('s3://')) throw refuse('It takes s3://bucket, s3://bucket/prefix, or file:folder.');
  const [bucket = '', ...segments] = to.slice('s3://'.length).replace(/\/$/, '').split('/');
  if (!BUCKET.test(bucket))
    throw refuse(`${quote(bucket)} is no name of a bucket: 3 to 63 of a-z, 0-9, hyphens and single dots.`);
  if (segments.some((segment) => NO_SEGMENT.has(segment) || /\p{Cc}/u.test(segment)))
    throw refuse('A prefix has no empty parts, no "." or "..", and no control characters.');
  const url = endpoint === undefined ? undefined : readUrl('--endpoint', endpoint, 'https://s3.example.org');
  const known = region || env.AWS_REGION || env.AWS_DEFAULT_REGION || regionOfProfile(env) || USUAL_REGION;
  return openS3Target({
    bucket,
    prefix: segments.map((segment) => `${segment}/`).join(''),
    endpoint: url,
    region: known,
    credentials: await findAwsCredentials(known, env),
    concurrency,
    signal,
  });
}

/** Opens a target and looks at it. Throws FailureError for what no later publish to it would overcome either. */
export async function checkTarget(
  flag: string,
  to: string,
  settings: Omit<TargetSettings, 'requests'>,
  { env, signal }: Context,
): Promise<void> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]);
  await using target = await openTarget(flag, to, { ...settings, requests: 1 }, { env, signal: limited });
  try {
    await readSite(target);
  } catch (error) {
    if (!(error instanceof FailureError) || !error.failure.retryable) throw error;
  }
}

/** Throws FailureError `usage` where one of two folders is in the other one, by whatever name or link. */
function checkIsApart(folder: string, out: string): void {
  if (!isWithin(folder, out) && !isWithin(out, folder)) return;
  throw stop('usage', `The folder ${folder} and the build in ${out} overlap: name one beside the build.`);
}

function isWithin(inner: string, outer: string): boolean {
  const way = relative(realPath(outer), realPath(inner));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Also of what is not there yet. */
function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync.native(whole);
  } catch {
    return whole === dirname(whole) ? whole : join(realPath(dirname(whole)), basename(whole));
  }
}

/** What it returns gives valid credentials. `region`: where roles are asked for. Throws FailureError `usage`. */
async function findAwsCredentials(region: string, env: Environment): Promise<() => Promise<S3Credentials>> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = env;
  if (accessKeyId && secretAccessKey)
    return async () => ({ accessKeyId, secretAccessKey, sessionToken: token || undefined });
  // It takes 60 ms to load.
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  const provider = defaultProvider({ clientConfig: { region } });
  try {
    await provider();
  } catch (error) {
    throw stop(
      'usage',
      'There are no credentials for the bucket ' +
        `(profile ${env.AWS_PROFILE || DEFAULT_PROFILE}: ${(error as Error).message}). Set ` +
        'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile of ~/.aws with AWS_PROFILE.',
      error,
    );
  }
  return provider;
}

/** Reads an INI file, which need not be there. */
function regionOfProfile(env: Environment): string | undefined {
  const profile = env.AWS_PROFILE || DEFAULT_PROFILE;
  const head = profile === DEFAULT_PROFILE ? '[default]' : `[profile ${profile}]`;
  try {
    const text = readFileSync(env.AWS_CONFIG_FILE || join(homedir(), '.aws', 'config'), 'utf8');
    const section = text.split(/^(?=\[)/m).find((one) => one.startsWith(head));
    return /^region\s*=\s*(\S+)/m.exec(section ?? '')?.[1];
  } catch {
    return undefined;
  }
}
