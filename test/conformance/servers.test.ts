// The harness itself: every server starts on a tiny site, serves a file of it, says why when it cannot start, and
// leaves nothing behind.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyText, send } from './send.ts';
import { SERVERS } from './servers/all.ts';
import { TINY_FILE, tinySite } from './tiny-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'stxpress-conformance-'));
/** Where servers of this file have their own folders: other files run beside it. */
const temporary = join(folder, 'tmp');
const site = { dist: join(folder, 'dist'), hosts: join(folder, 'hosts') };

beforeAll(() => {
  // Apache runs as another user.
  chmodSync(folder, 0o755);
  mkdirSync(temporary);
  process.env.TMPDIR = temporary;
  for (const [path, text] of Object.entries(tinySite(site.dist))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const leftovers = () => readdirSync(temporary).filter((entry) => entry.startsWith('stxpress-'));

describe.each(SERVERS.map((server) => [server.name, server] as const))('%s', (name, server) => {
  test('starts, serves a file, and leaves nothing', async () => {
    const host = await server.start(site);
    try {
      const answer = await send(host.origin, { path: TINY_FILE.path, headers: { 'Accept-Encoding': 'gzip, br' } });
      expect([answer.status, bodyText(answer)]).toEqual([200, TINY_FILE.text]);
      expect(answer.headers['content-type']).toBe('application/json');
      const missing = await send(host.origin, { path: '/no/such/file' });
      expect(missing.status).toBe(404);
    } finally {
      await host.stop();
    }
    await expect(send(host.origin, { path: '/' })).rejects.toThrow('ECONNREFUSED');
    // A whole number: a browser that runs beside this has clocks in its arguments, and any digits in those.
    const port = new RegExp(`\\b${new URL(host.origin).port}\\b`);
    expect(processes().filter((line) => port.test(line) || line.includes(temporary))).toEqual([]);
    expect(leftovers()).toEqual([]);
  });

  test('error: a site that is not there', async () => {
    const nowhere = { dist: join(folder, 'nowhere'), hosts: join(folder, 'nowhere') };
    // Plain `serve` starts on anything.
    if (name !== 'serve') await expect(server.start(nowhere)).rejects.toThrow();
    else await (await server.start(nowhere)).stop();
    expect(leftovers()).toEqual([]);
  });
});

function processes(): string[] {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
}
