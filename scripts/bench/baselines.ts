// This script runs a baseline: the unavoidable part of the work that a benchmark measures. Usage: node
// scripts/bench/baselines.ts NAME ARGUMENT … The names are at the end of this file. Each baseline loads only the
// packages that it needs.
import { createReadStream, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

/** Reads an archive line by line, and parses the JSON of every line. */
async function parse(file: string): Promise<void> {
  const bytes = createReadStream(file, { highWaterMark: 1 << 20 });
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip({ chunkSize: 1 << 20 })) : bytes;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    JSON.parse(line.slice(line.lastIndexOf('\t') + 1));
}

/** Copies the files of a site that were written after `since`, a Unix time in ms. The copies are in a new folder. */
function write(site: string, folder: string, since = '0'): void {
  for (const path of filesSince(site, Number(since))) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, readFileSync(join(site, path)));
  }
}

function filesSince(site: string, since: number): string[] {
  const paths = readdirSync(site, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => {
    const stats = statSync(join(site, path));
    return stats.isFile() && stats.mtimeMs >= since && !path.startsWith('.stxpress/');
  });
}

type Handler = (incoming: IncomingMessage, response: ServerResponse, options: object) => Promise<void>;

/** Serves a folder only with the package serve-handler. */
function serve(folder: string, port: string): void {
  const handle = createRequire(import.meta.url)('serve-handler') as Handler;
  createServer((incoming, response) => {
    void handle(incoming, response, { public: folder, cleanUrls: false, directoryListing: false, etag: true });
  }).listen(Number(port), '127.0.0.1');
}

const BASELINES: Readonly<Record<string, (...args: [string, string]) => unknown>> = { parse, write, serve };
if (import.meta.main) {
  const [name = '', ...args] = process.argv.slice(2);
  await BASELINES[name]?.(...(args as [string, string]));
}
