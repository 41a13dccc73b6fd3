// Credentials from all places where the tools of AWS find them, and new ones while a publish runs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Bucket, openBucket } from '../support/bucket.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { expectIs } from '../support/publish-to.ts';
import { expectRefused, runWarm } from '../support/run-warm.ts';
import { newBuild } from './versions.ts';

const HOUR_MS = 3_600_000;
const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** A build to publish, and the folder that it is in. */
const newFolder = () => {
  const out = newBuild();
  return { out, cwd: join(out, '..') };
};

/** Nothing of this machine is asked for credentials. */
const publish = (cwd: string, bucket: Bucket, env: Record<string, string>) => {
  const nothing = { HOME: cwd, AWS_EC2_METADATA_DISABLED: 'true', AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' };
  return runWarm(['publish', '--to', 's3://site', '--endpoint', bucket.url], { cwd, env: { ...nothing, ...env } });
};

test('behavior: a profile names a process, and an expired token is none of its', async () => {
  const [{ cwd, out }, bucket] = [newFolder(), await openBucket()];
  const said = { Version: 1, AccessKeyId: 'KEY', SecretAccessKey: 'SECRET', SessionToken: 'new' };
  writeFileSync(join(cwd, 'said.json'), JSON.stringify({ ...said, Expiration: inMs(HOUR_MS) }));
  writeFileSync(
    join(cwd, 'config'),
    `[default]\nregion = eu-north-1\n[profile work]\ncredential_process = cat ${join(cwd, 'said.json')}\n`,
  );
  bucket.allows = (token) => token === 'new';
  const env = { AWS_PROFILE: 'work', AWS_CONFIG_FILE: join(cwd, 'config') };
  expect(await publish(cwd, bucket, env)).toMatchObject({ status: 0, stderr: '' });
  expectIs(bucket, out);
  writeFileSync(join(cwd, 'said.json'), JSON.stringify({ ...said, Expiration: inMs(-HOUR_MS) }));
  expectRefused(await publish(cwd, bucket, env), 'No credentials found for the bucket (profile work: ');
});

test('behavior: a container gives them for a while, and new ones as the publish goes on', async () => {
  const [{ cwd, out }, bucket] = [newFolder(), await openBucket()];
  let given = 0;
  const container = await loopbackServer((request, response) => {
    if (request.headers.authorization !== 'let me') return void response.writeHead(403).end();
    // Good for less than what is left when they are renewed.
    const credentials = { AccessKeyId: 'KEY', SecretAccessKey: 'SECRET', Expiration: inMs(60_000) };
    response.end(JSON.stringify({ ...credentials, Token: `${++given}` }));
  });
  const used = new Set<string | undefined>();
  bucket.allows = (token) => {
    used.add(token);
    return Number(token) > given - 20;
  };
  const env = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${container.url}/role`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: 'let me',
  };
  expect(await publish(cwd, bucket, env)).toMatchObject({ status: 0, stderr: '' });
  expect(used.size).toBeGreaterThan(3);
  expectIs(bucket, out);
});

test('behavior: a pod takes the role of its service account', async () => {
  const [{ cwd, out }, bucket] = [newFolder(), await openBucket()];
  const asked: string[] = [];
  const sts = await loopbackServer(async (request, response) => {
    for await (const chunk of request) asked.push(String(chunk));
    const credentials = `<AccessKeyId>KEY</AccessKeyId><SecretAccessKey>SECRET</SecretAccessKey><SessionToken>pod</SessionToken><Expiration>${inMs(HOUR_MS)}</Expiration>`;
    const result = `<AssumeRoleWithWebIdentityResult><Credentials>${credentials}</Credentials></AssumeRoleWithWebIdentityResult>`;
    response.end(`<AssumeRoleWithWebIdentityResponse>${result}</AssumeRoleWithWebIdentityResponse>`);
  });
  writeFileSync(join(cwd, 'token'), 'signed-by-the-cluster');
  bucket.allows = (token) => token === 'pod';
  const role = 'arn:aws:iam::123456789012:role/press';
  const env = { AWS_WEB_IDENTITY_TOKEN_FILE: join(cwd, 'token'), AWS_ROLE_ARN: role, AWS_ENDPOINT_URL_STS: sts.url };
  expect(await publish(cwd, bucket, env)).toMatchObject({ status: 0, stderr: '' });
  expect(asked.join('')).toContain('WebIdentityToken=signed-by-the-cluster');
  expectIs(bucket, out);
});

test('error: there are none, or what gives them fails', async () => {
  const [{ cwd }, bucket] = [newFolder(), await openBucket()];
  expectRefused(await publish(cwd, bucket, {}), 'No credentials found for the bucket (profile default: ');
  writeFileSync(join(cwd, 'config'), '[profile work]\ncredential_process = false\n');
  const run = await publish(cwd, bucket, { AWS_PROFILE: 'work', AWS_CONFIG_FILE: join(cwd, 'config') });
  expect(run).toMatchObject({ status: 1, stderr: expect.stringContaining('or select a profile of ~/.aws') });
  expect(bucket.server.requests).toEqual([]);
});
