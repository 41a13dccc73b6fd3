// Reads who asks a bucket, and its region, from where the tools of AWS keep them: variables, and files in ~/.aws.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { stop } from '#model/failure.ts';
import type { S3Credentials } from '#publish/s3-target.ts';
import { readVariable } from './config.ts';

/** Throws FailureError `usage` where there are none. */
export function readAwsCredentials(): S3Credentials {
  const [accessKeyId, secretAccessKey] = [readVariable('AWS_ACCESS_KEY_ID'), readVariable('AWS_SECRET_ACCESS_KEY')];
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return { accessKeyId, secretAccessKey, sessionToken: readVariable('AWS_SESSION_TOKEN') };
  const file = readVariable('AWS_SHARED_CREDENTIALS_FILE') ?? join(homedir(), '.aws', 'credentials');
  const section = readProfile(file, profileName());
  const [id, secret] = [section.get('aws_access_key_id'), section.get('aws_secret_access_key')];
  if (id !== undefined && secret !== undefined)
    return { accessKeyId: id, secretAccessKey: secret, sessionToken: section.get('aws_session_token') };
  throw stop(
    'usage',
    `There are no credentials for the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write the profile ` +
      `"${profileName()}" into ${file}.`,
  );
}

export function readAwsRegion(): string | undefined {
  const file = readVariable('AWS_CONFIG_FILE') ?? join(homedir(), '.aws', 'config');
  const name = profileName();
  const profile = readProfile(file, name === 'default' ? name : `profile ${name}`);
  return readVariable('AWS_REGION') ?? readVariable('AWS_DEFAULT_REGION') ?? profile.get('region');
}

function profileName(): string {
  return readVariable('AWS_PROFILE') ?? 'default';
}

/** Of an INI file, which need not be there. */
function readProfile(file: string, name: string): ReadonlyMap<string, string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return new Map();
  }
  const sections = text.split(/^(?=\[)/m).map((section) => section.split('\n').map((line) => line.trim()));
  const own = sections.find(([head = '']) => head === `[${name}]`) ?? [];
  return new Map(
    own.flatMap((line): [string, string][] => {
      const [, key, value] = /^([a-z_]+)\s*=\s*(.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value]];
    }),
  );
}
