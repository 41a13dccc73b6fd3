// Opens the publish target that the flags name. Credentials come from the same places as for the AWS tools: variables,
// files in ~/.aws, roles of machines. Invalid targets are rejected before any request.

import { FailureError, stop } from '#model/failure.ts';
import { isTemporary } from '#model/temporary.ts';
import { openS3Target, type S3Credentials } from '#publish/s3-target.ts';
import { readState, type Target } from '#publish/target.ts';
import { quote } from '#text/quote.ts';
import { findAwsSettings, profileName } from './aws-settings.ts';
import type { SettingsOf } from './options.ts';
import type { Context, Environment } from './surroundings.ts';

type TargetSettings = Pick<SettingsOf<'publish'>, 'endpoint' | 'region'>;

/**
 * Matches bucket names (https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html), even reserved
 * ones.
 */
const BUCKET = /^(?!\d+\.\d+\.\d+\.\d+$)(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Path segments that a key must not contain, since a URL parser drops or resolves them. */
const INVALID_SEGMENTS: ReadonlySet<string> = new Set(['', '.', '..']);
/** The default region with an endpoint. Storages other than AWS ignore it. */
const DEFAULT_REGION = 'us-east-1';
/** The time limit of {@link checkTarget}. A publish waits longer. */
const CHECK_MS = 10_000;
/** The number of concurrent requests to a target. */
export const CONCURRENCY = 32;

/** Opens the target `to`. `flag`: the option that named the target, for messages. Throws FailureError `usage`. */
export async function openTarget(
  flag: string,
  to: string,
  flags: TargetSettings,
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<Target> {
  const refuse = (why: string) => stop('usage', `${flag} is ${quote(to)}. ${why}`);
  if (!to.startsWith('s3://')) throw refuse('Use s3://bucket or s3://bucket/prefix.');
  const [bucket = '', ...segments] = to.slice('s3://'.length).replace(/\/$/, '').split('/');
  if (!BUCKET.test(bucket))
    throw refuse(`${quote(bucket)} is not a bucket name. Use 3 to 63 characters: a-z, 0-9, hyphens and single dots.`);
  if (segments.some((segment) => INVALID_SEGMENTS.has(segment) || /\p{Cc}/u.test(segment)))
    throw refuse('Use a prefix without empty parts, ".", ".." and control characters.');
  const { endpoint, region } = await findAwsSettings(flags, env);
  if (!region && endpoint === undefined)
    throw stop('usage', `The region of ${to} is unknown. Name it with --region or AWS_REGION, or pass an --endpoint.`);
  const known = region || DEFAULT_REGION;
  return openS3Target({
    bucket,
    prefix: segments.map((segment) => `${segment}/`).join(''),
    endpoint,
    region: known,
    credentials: await findAwsCredentials(known, env),
    concurrency: CONCURRENCY,
    signal,
  });
}

/**
 * Checks that a target can be read. Throws FailureError for permanent failures; a later publish retries temporary ones.
 */
export async function checkTarget(
  flag: string,
  to: string,
  settings: TargetSettings,
  { env, signal }: Context,
): Promise<void> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]);
  await using target = await openTarget(flag, to, settings, { env, signal: limited });
  try {
    await readState(target);
  } catch (error) {
    if (!(error instanceof FailureError) || !isTemporary(error.failure)) throw error;
  }
}

/**
 * Returns a function that provides valid credentials. `region`: the region in which credentials of a role are
 * requested. Throws FailureError `usage` if there are no credentials.
 */
async function findAwsCredentials(region: string, env: Environment): Promise<() => Promise<S3Credentials>> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = env;
  if (accessKeyId && secretAccessKey)
    return async () => ({ accessKeyId, secretAccessKey, sessionToken: token || undefined });
  // Loading this package takes 60 ms, so it is loaded only without credentials in variables.
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  const provider = defaultProvider({ clientConfig: { region } });
  try {
    await provider();
  } catch (error) {
    throw stop(
      'usage',
      'No credentials found for the bucket ' +
        `(profile ${profileName(env)}: ${(error as Error).message}). Set ` +
        'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or select a profile of ~/.aws with AWS_PROFILE.',
      error,
    );
  }
  return provider;
}
