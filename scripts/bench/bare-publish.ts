// A baseline: reads the files that a list names, signs and sends each, 32 at once, nothing else. Usage: node
// scripts/bench/bare-publish.ts SITE LIST ENDPOINT
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { Pool } from 'undici';

const AT_ONCE = 32;
const [site = '', list = '', endpoint = ''] = process.argv.slice(2);
const paths = readFileSync(list, 'utf8').trim().split('\n');
const pool = new Pool(endpoint);
const cache = new Map<string, ArrayBuffer>();

async function work(): Promise<void> {
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    const body = await readFile(join(site, path));
    const signed = await new AwsV4Signer({
      method: 'PUT',
      url: `${endpoint}/bare/${path}`,
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'public, max-age=60',
        'X-Amz-Content-Sha256': createHash('sha256').update(body).digest('hex'),
      },
      service: 's3',
      region: 'us-east-1',
      cache,
      accessKeyId: 'KEY',
      secretAccessKey: 'SECRET',
    }).sign();
    const headers = Object.fromEntries(signed.headers as Iterable<[string, string]>);
    const answer = await pool.request({ method: 'PUT', path: signed.url.pathname, headers, body });
    await answer.body.dump();
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
await pool.close();
