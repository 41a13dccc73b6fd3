// Finds credentials and a region where the tools of AWS do: variables, files in ~/.aws, roles of machines.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { stop } from '#model/failure.ts';
import type { S3Credentials } from '#publish/s3-target.ts';
import { type Environment, readVariable } from './world.ts';

/** Returns a function that gives valid credentials; `region`: where roles are asked for. Throws FailureError `usage`. */
export async function findAwsCredentials(region: string, env: Environment): Promise<() => Promise<S3Credentials>> {
  const [accessKeyId, secretAccessKey, sessionToken] = [
    readVariable(env, 'AWS_ACCESS_KEY_ID'),
    readVariable(env, 'AWS_SECRET_ACCESS_KEY'),
    readVariable(env, 'AWS_SESSION_TOKEN'),
  ];
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return async () => ({ accessKeyId, secretAccessKey, sessionToken });
  // It takes 60 ms to load.
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  const provider = defaultProvider({ clientConfig: { region } });
  try {
    await provider();
  } catch (error) {
    throw stop(
      'usage',
      `There are no credentials for the bucket (profile ${profileName(env)}: ${(error as Error).message}). Set ` +
        'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile of ~/.aws with AWS_PROFILE.',
      error,
    );
  }
  return provider;
}

export function readAwsRegion(env: Environment): string | undefined {
  return readVariable(env, 'AWS_REGION') ?? readVariable(env, 'AWS_DEFAULT_REGION') ?? regionOfProfile(env);
}

/** Reads an INI file, which need not be there. */
function regionOfProfile(env: Environment): string | undefined {
  const profile = profileName(env);
  const head = profile === 'default' ? '[default]' : `[profile ${profile}]`;
  try {
    const text = readFileSync(readVariable(env, 'AWS_CONFIG_FILE') ?? join(homedir(), '.aws', 'config'), 'utf8');
    const section = text.split(/^(?=\[)/m).find((one) => one.startsWith(head));
    return /^region\s*=\s*(\S+)/m.exec(section ?? '')?.[1];
  } catch {
    return undefined;
  }
}

function profileName(env: Environment): string {
  return readVariable(env, 'AWS_PROFILE') ?? 'default';
}
