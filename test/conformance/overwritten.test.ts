// A file that another program overwrites where it is, while Apache sends it: no byte is sent that was in no file.
import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { siteOf } from '#generator/host-files.ts';
import { apache as adapter } from '#hosts/apache.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { apache } from './servers/apache.ts';

test('apache: an answer that is cut short while it is sent ends, and has no NULs', async () => {
  const folder = tempFolder();
  chmodSync(folder, 0o755);
  const dist = join(folder, 'dist');
  const file = join(dist, 'metadata/v1/index.json');
  mkdirSync(join(dist, 'metadata/v1'), { recursive: true });
  for (const { path, text } of adapter.files(siteOf(dist))) writeFileSync(join(dist, path), text);
  const host = await apache.start({ dist, hosts: folder });
  try {
    // One of them is within what Apache has before it when the client stops reading.
    for (let shorter = 500_001; shorter < 12_000_000; shorter += 500_000) {
      writeFileSync(file, 'x'.repeat(16_000_000));
      const body = await askSlowly(`${host.origin}/metadata/v1`, () => truncateSync(file, shorter));
      expect([shorter, body.length > 0, body.indexOf(0)]).toEqual([shorter, true, -1]);
    }
  } finally {
    await host.stop();
  }
});

/** What is answered, although not to its end, where something happens after its beginning was read. */
function askSlowly(url: string, happen: () => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'Accept-Encoding': 'identity' } }, async (answer) => {
      const sent: Buffer[] = [];
      const end = () => resolve(Buffer.concat(sent));
      answer.once('error', end).once('end', end);
      answer.once('data', (chunk: Buffer) => sent.push(chunk)).pause();
      await setTimeout(100);
      happen();
      answer.on('data', (chunk: Buffer) => sent.push(chunk)).resume();
    })
      .once('error', reject)
      .end();
  });
}
