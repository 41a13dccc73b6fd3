// Tests a file that can no longer be read while the local server sends it.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { sendFile } from '#serve/send-file.ts';
import { openSiteFile, type SiteFile } from '#serve/site-file.ts';
import { Turns } from '#serve/turns.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** More than the buffers of a connection hold. */
const BYTES = 20_000_000;

test('reports the error, and closes the connection', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'large'), 'x'.repeat(BYTES));
  const file = openSiteFile(folder, 'large') as SiteFile;
  const [errors, turns] = [[] as unknown[], new Turns()];
  const { port } = await loopbackServer((_, response) => {
    response.writeHead(200, { 'Content-Length': BYTES });
    sendFile(file, response, { start: 0, end: BYTES }, { turns, onError: (error) => errors.push(error) });
  });
  const [response] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
  file.close();
  await expect(buffer(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(errors).toMatchObject([{ code: 'EBADF' }]);
});
