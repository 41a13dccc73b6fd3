// stxpress serve: serves a build on this machine until it is interrupted.
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SITE_RULES } from '#describe/site-rules.ts';
import { stop } from '#model/failure.ts';
import { ROUTES } from '#routes/all.ts';
import { examplePaths } from '#serve/example-urls.ts';
import { startServer } from '#serve/server.ts';
import type { Settings } from './config.ts';
import type { Context } from './context.ts';
import { EXIT_OK } from './exit-status.ts';
import { FLAGS } from './flags.ts';

export type ServeSettings = Settings<'dir' | 'port' | 'host'>;

const MAX_PORT = 65_535;
/** Enough to click on. */
const EXAMPLES = 3;

export async function runServeCommand(settings: ServeSettings, context: Context): Promise<number> {
  const { dir, port, host } = settings;
  if (port > MAX_PORT) throw stop('usage', `--port is ${port}, and takes a number up to ${MAX_PORT}.`);
  if (!hasBuild(dir))
    throw stop(
      'dist-missing',
      `There is no build in ${dir}. Make one with: npm run build${dir === FLAGS.dir.default ? '' : ` -- --out ${dir}`}`,
    );
  const server = await startServer({
    folder: dir,
    rules: SITE_RULES,
    host,
    port,
    onError: (error) =>
      context.reporter.warn(`an answer could not be given: ${error instanceof Error ? error.message : String(error)}`),
  });
  const base = baseUrl(host, (server.address() as AddressInfo).port);
  // The pages for people first.
  const examples = ['', 'docs/', ...examplePaths(dir, ROUTES, EXAMPLES)].map((path) => `  ${base}/${path}`);
  context.print([`Serving ${dir} at ${base}, for example:`, ...examples, 'Stop it with Ctrl-C.'].join('\n'));
  await new Promise<void>((resolve) => {
    if (context.signal.aborted) resolve();
    else context.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  server.close();
  server.closeAllConnections();
  return EXIT_OK;
}

/** Whether a folder holds a finished build. */
export function hasBuild(dir: string): boolean {
  return existsSync(join(dir, SITE_RULES.notFound.file));
}

function baseUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
