// Truncates a file while Apache sends it. Apache must not send bytes that the file never contained.
import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { siteOf } from '#generator/host-files.ts';
import { apache as adapter } from '#hosts/apache.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { apache } from './servers/apache.ts';

test('apache: ends the response without NULs when the file is truncated', async () => {
  const folder = tempFolder();
  chmodSync(folder, 0o755);
  const dist = join(folder, 'dist');
  const file = join(dist, 'metadata/v1/index.json');
  mkdirSync(join(dist, 'metadata/v1'), { recursive: true });
  for (const { path, text } of adapter.files(siteOf(dist))) writeFileSync(join(dist, path), text);
  const host = await apache.start({ dist, hosts: folder });
  try {
    // Apache maps a part of the file into memory. One or more of these lengths are within this part.
    for (let shorter = 500_001; shorter < 12_000_000; shorter += 500_000) {
      writeFileSync(file, 'x'.repeat(16_000_000));
      const body = await readSlowly(`${host.origin}/metadata/v1`, () => truncateSync(file, shorter));
      expect([shorter, body.length > 0, body.indexOf(0)]).toEqual([shorter, true, -1]);
    }
  } finally {
    await host.stop();
  }
});

/**
 * Reads the first chunk of a response, calls `onStart`, and then returns all received bytes, even if the response is
 * aborted.
 */
function readSlowly(url: string, onStart: () => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'Accept-Encoding': 'identity' } }, async (response) => {
      const sent: Buffer[] = [];
      const end = () => resolve(Buffer.concat(sent));
      response.once('error', end).once('end', end);
      response.once('data', (chunk: Buffer) => sent.push(chunk)).pause();
      await setTimeout(100);
      onStart();
      response.on('data', (chunk: Buffer) => sent.push(chunk)).resume();
    })
      .once('error', reject)
      .end();
  });
}
