// Finds the endpoint and the region of a bucket like the AWS tools: in flags, variables and the profile in ~/.aws. A key
// of another storage is then never used at AWS (https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html).
import { stop } from '#model/failure.ts';
import { quote } from '#text/quote.ts';
import { readUrl } from './read-url.ts';
import type { Environment } from './surroundings.ts';

interface AwsSettings {
  /** The URL of the storage; undefined for AWS. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
}

const DEFAULT_PROFILE = 'default';
const EXAMPLE = 'https://s3.example.org';

/** Returns the name of the selected profile. */
export function profileName(env: Environment): string {
  return env.AWS_PROFILE || DEFAULT_PROFILE;
}

/** `flags`: the values of --endpoint and --region. Throws FailureError `usage` for an invalid endpoint. */
export async function findAwsSettings(flags: AwsSettings, env: Environment): Promise<AwsSettings> {
  // Loading this package takes 60 ms.
  const { parseKnownFiles } = await import('@smithy/shared-ini-file-loader');
  const sections = await parseKnownFiles({ ignoreCache: true });
  const name = profileName(env);
  const { region, services, ...profile } = sections[name] ?? {};
  const section = services === undefined ? {} : sections[`services.${services}`];
  if (section === undefined)
    throw stop(
      'usage',
      `Profile ${name} in ~/.aws/config names the services ${quote(services ?? '')}. Add the section.`,
    );
  const isIgnored = env.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS || profile.ignore_configured_endpoint_urls;
  const configured = [
    ['AWS_ENDPOINT_URL_S3', env.AWS_ENDPOINT_URL_S3],
    ['AWS_ENDPOINT_URL', env.AWS_ENDPOINT_URL],
    [`endpoint_url of s3 in the services ${services}`, section['s3.endpoint_url']],
    [`endpoint_url of profile ${name}`, profile.endpoint_url],
  ] as const;
  const all = [['--endpoint', flags.endpoint] as const, ...(/^true$/i.test(isIgnored ?? '') ? [] : configured)];
  const [from, url] = all.find(([, url]) => url) ?? [];
  return {
    endpoint: from && url && readUrl(from, url, EXAMPLE),
    region: flags.region || env.AWS_REGION || env.AWS_DEFAULT_REGION || region,
  };
}
