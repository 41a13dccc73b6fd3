// Tests the places in which the AWS tools find credentials, endpoints and regions, and the renewal of credentials during
// a publish.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Bucket, openBucket } from '../support/bucket.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { expectIs } from '../support/publish-to.ts';
import { expectRefused, runWarm } from '../support/run-cli.ts';
import { newBuild } from './versions.ts';

const HOUR_MS = 3_600_000;
const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** Creates a working folder with a build that was never published. */
const newFolder = () => {
  const out = newBuild();
  return { out, cwd: join(out, '..') };
};

/** Runs a publish with these variables, and without the credentials of this machine. */
const publish = (cwd: string, endpoint: Pick<Bucket, 'url'> | undefined, env: Record<string, string>) => {
  const isolated = { HOME: cwd, AWS_EC2_METADATA_DISABLED: 'true', AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' };
  const flag = endpoint === undefined ? [] : ['--endpoint', endpoint.url];
  return runWarm(['publish', '--to', 's3://site', ...flag], { cwd, env: { ...isolated, ...env } });
};

test('runs the process of a profile, and rejects an expired token', async () => {
  const [{ cwd, out }, bucket] = [newFolder(), await openBucket()];
  const output = { Version: 1, AccessKeyId: 'KEY', SecretAccessKey: 'SECRET', SessionToken: 'new' };
  writeFileSync(join(cwd, 'output.json'), JSON.stringify({ ...output, Expiration: inMs(HOUR_MS) }));
  writeFileSync(
    join(cwd, 'config'),
    `[default]\nregion = eu-north-1\n[profile work]\ncredential_process = cat ${join(cwd, 'output.json')}\n`,
  );
  bucket.allows = (token) => token === 'new';
  const env = { AWS_PROFILE: 'work', AWS_CONFIG_FILE: join(cwd, 'config') };
  expect(await publish(cwd, bucket, env)).toMatchObject({ status: 0, stderr: '' });
  expectIs(bucket, out);
  writeFileSync(join(cwd, 'output.json'), JSON.stringify({ ...output, Expiration: inMs(-HOUR_MS) }));
  expectRefused(await publish(cwd, bucket, env), 'No credentials found for the bucket (profile work: ');
});

test('renews the credentials of a container during the publish', async () => {
  const [{ cwd, out }, bucket] = [newFolder(), await openBucket()];
  let issued = 0;
  const container = await loopbackServer((request, response) => {
    if (request.headers.authorization !== 'let me') return void response.writeHead(403).end();
    // These credentials expire so soon that the publisher renews them for each request.
    const credentials = { AccessKeyId: 'KEY', SecretAccessKey: 'SECRET', Expiration: inMs(60_000) };
    response.end(JSON.stringify({ ...credentials, Token: `${++issued}` }));
  });
  const used = new Set<string | undefined>();
  bucket.allows = (token) => {
    used.add(token);
    return Number(token) > issued - 20;
  };
  const env = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${container.url}/role`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: 'let me',
  };
  expect(await publish(cwd, bucket, env)).toMatchObject({ status: 0, stderr: '' });
  expect(used.size).toBeGreaterThan(3);
  expectIs(bucket, out);
});

test('assumes the role of the service account of a pod', async () => {
  const [{ cwd, out }, bucket] = [newFolder(), await openBucket()];
  const bodies: string[] = [];
  const sts = await loopbackServer(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk));
    const credentials = `<AccessKeyId>KEY</AccessKeyId><SecretAccessKey>SECRET</SecretAccessKey><SessionToken>pod</SessionToken><Expiration>${inMs(HOUR_MS)}</Expiration>`;
    const result = `<AssumeRoleWithWebIdentityResult><Credentials>${credentials}</Credentials></AssumeRoleWithWebIdentityResult>`;
    response.end(`<AssumeRoleWithWebIdentityResponse>${result}</AssumeRoleWithWebIdentityResponse>`);
  });
  writeFileSync(join(cwd, 'token'), 'signed-by-the-cluster');
  bucket.allows = (token) => token === 'pod';
  const role = 'arn:aws:iam::123456789012:role/press';
  const env = { AWS_WEB_IDENTITY_TOKEN_FILE: join(cwd, 'token'), AWS_ROLE_ARN: role, AWS_ENDPOINT_URL_STS: sts.url };
  expect(await publish(cwd, bucket, env)).toMatchObject({ status: 0, stderr: '' });
  expect(bodies.join('')).toContain('WebIdentityToken=signed-by-the-cluster');
  expectIs(bucket, out);
});

test('finds no credentials, or their process fails', async () => {
  const [{ cwd }, bucket] = [newFolder(), await openBucket()];
  expectRefused(await publish(cwd, bucket, {}), 'No credentials found for the bucket (profile default: ');
  writeFileSync(join(cwd, 'config'), '[profile work]\ncredential_process = false\n');
  const run = await publish(cwd, bucket, { AWS_PROFILE: 'work', AWS_CONFIG_FILE: join(cwd, 'config') });
  expect(run).toMatchObject({ status: 1, stderr: expect.stringContaining('or select a profile of ~/.aws') });
  expect(bucket.server.requests).toEqual([]);
});

/** Writes a profile with a key, a region and these endpoints. Returns variables that select it. */
const withProfile = (cwd: string, servicesUrl: string, profileUrl: string) => {
  const key = 'aws_access_key_id = KEY\naws_secret_access_key = SECRET';
  writeFileSync(
    join(cwd, 'config'),
    `[profile work]\n${key}\nregion = of-profile\nendpoint_url = ${profileUrl}\nservices = all\n` +
      `[services all]\nec2 =\n  endpoint_url = wrong\ns3 =\n  endpoint_url = ${servicesUrl}\n`,
  );
  return { AWS_PROFILE: 'work', AWS_CONFIG_FILE: join(cwd, 'config') };
};

const PLACES = ['flag', 'AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL', 'services', 'profile'] as const;

test.each(PLACES)('reads the endpoint of the %s before those of later places', async (place) => {
  const [{ cwd, out }, bucket] = [newFolder(), await openBucket()];
  const position = PLACES.indexOf(place);
  const [flag, s3 = '', all = '', services = '', profile = ''] = PLACES.map((_, index) =>
    index < position ? '' : index === position ? bucket.url : 'https://wrong.invalid',
  );
  const env = { AWS_ENDPOINT_URL_S3: s3, AWS_ENDPOINT_URL: all, ...withProfile(cwd, services, profile) };
  const run = await publish(cwd, flag ? { url: flag } : undefined, env);
  expect(run).toMatchObject({ status: 0, stderr: '' });
  expectIs(bucket, out);
  expect([...bucket.regions]).toEqual(['of-profile']);
});

test('names the place of an invalid endpoint, and ignores endpoints if told so', async () => {
  const { cwd } = newFolder();
  const profile = { ...withProfile(cwd, '', 'my storage'), AWS_ENDPOINT_URL_S3: '', AWS_ENDPOINT_URL: '' };
  expectRefused(await publish(cwd, undefined, profile), 'endpoint_url of profile work is "my storage". Use an http');
  const wrong = { ...profile, AWS_ENDPOINT_URL_S3: 'my storage' };
  expectRefused(await publish(cwd, undefined, wrong), 'AWS_ENDPOINT_URL_S3 is "my storage". Use an http');
  const inFile = async (text: string) => {
    writeFileSync(join(cwd, 'other'), `[profile work]\n${text}\n`);
    return publish(cwd, undefined, { ...profile, AWS_REGION: '', AWS_CONFIG_FILE: join(cwd, 'other') });
  };
  expectRefused(await inFile('services = none'), 'names the services "none". Add the section.');
  const isUnknown = 'The region of s3://site is unknown.';
  expectRefused(await inFile('endpoint_url = my storage\nignore_configured_endpoint_urls = true'), isUnknown);
});
