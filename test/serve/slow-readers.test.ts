// How much memory the local server takes for clients that read nothing of what they asked for.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { spawnCli, untilPrinted } from '../support/run-cli.ts';
import { tokenPath, writeSmallSite } from '../support/small-site.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Of each kind. */
const READERS = 60;
const KINDS = 5;
const LARGE_BYTES = 8_000_000;
const TEXT_BYTES = 2_000_000;
const OTHER_BYTES = 1_000_000;
/** What bodies may take together, and what each connection may; a body for each would be more than 700 MB. */
const BOUND_MB = 64 + 0.3 * READERS * KINDS;

// The system tells the peak only on Linux.
test.runIf(process.platform === 'linux')('behavior: slow readers share bodies, or have a small part each', async () => {
  const dist = join(tempFolder(), 'dist');
  writeSmallSite(dist, { [tokenPath('text')]: JSON.stringify({ text: randomBytes(TEXT_BYTES / 2).toString('hex') }) });
  const sparse = (name: string, bytes: number) => {
    mkdirSync(dirname(join(dist, tokenPath(name))), { recursive: true });
    writeFileSync(join(dist, tokenPath(name)), name);
    truncateSync(join(dist, tokenPath(name)), bytes);
  };
  sparse('large', LARGE_BYTES);
  for (let index = 0; index < READERS; index++) sparse(`other-${index}`, OTHER_BYTES);

  const server = spawnCli(['serve', '--out', dist, '--port', '0'], { cwd: dist });
  onTestFinished(() => void server.kill());
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(await untilPrinted(server.stdout, /Ctrl-C/))?.[1]);
  const megabytes = (what: string) => {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    return Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_000;
  };
  const before = megabytes('VmRSS');
  const asked = (name: string, encoding = 'identity') => begin(port, name, encoding);
  const readers = await Promise.all(
    Array.from({ length: READERS }, (_, index) => [
      asked('large'),
      asked('text'),
      asked('text', 'gzip'),
      asked('text', 'br'),
      asked(`other-${index}`),
    ]).flat(),
  );
  expect(megabytes('VmHWM') - before).toBeLessThan(BOUND_MB);

  // Whoever reads after all gets everything.
  const [large] = readers as [Socket];
  let received = 0;
  large.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  large.resume();
  await once(large, 'end');
  expect(received).toBeGreaterThan(LARGE_BYTES - 1_000);
  for (const reader of readers) reader.destroy();
});

/** Asks for an answer, and waits for its first bytes alone. */
async function begin(port: number, name: string, encoding: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const headers = `Host: a\r\nAccept-Encoding: ${encoding}\r\nConnection: close`;
  socket.write(`GET /${tokenPath(name)} HTTP/1.1\r\n${headers}\r\n\r\n`);
  await once(socket, 'readable');
  expect(String(socket.read(12))).toBe('HTTP/1.1 200');
  return socket;
}
