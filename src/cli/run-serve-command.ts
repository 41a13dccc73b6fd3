// stxpress serve: serves a build on this machine until it is interrupted.
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SITE_RULES } from '#describe/site-rules.ts';
import { stop } from '#model/failure.ts';
import { ROUTES } from '#routes/all.ts';
import { examplePaths } from '#serve/example-urls.ts';
import { startServer } from '#serve/server.ts';
import type { Context } from './context.ts';
import { EXIT_OK } from './exit-status.ts';
import { SERVE_OPTIONS } from './options.ts';
import type { Settings } from './setting.ts';

/** Enough to click on. */
const EXAMPLES = 3;

export async function runServeCommand(
  { dir, port, host }: Settings<typeof SERVE_OPTIONS>,
  { reporter, print, signal }: Context,
): Promise<number> {
  checkHasBuild(dir);
  const server = await startServer({
    folder: dir,
    rules: SITE_RULES,
    host,
    port,
    onError: (error) => reporter.warn(`A request failed: ${error instanceof Error ? error.message : String(error)}`),
  });
  const { port: boundPort } = server.address() as AddressInfo;
  const base = `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`;
  // The pages for people first.
  const examples = ['', 'docs/', ...examplePaths(dir, ROUTES, EXAMPLES)].map((path) => `  ${base}/${path}`);
  print([`Serving ${dir} at ${base}, for example:`, ...examples, 'Stop it with Ctrl-C.'].join('\n'));
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  server.close();
  server.closeAllConnections();
  return EXIT_OK;
}

/** Throws FailureError `dist-missing` for a folder without a finished build. */
export function checkHasBuild(dir: string): void {
  if (existsSync(join(dir, SITE_RULES.notFound.file))) return;
  const flag = dir === SERVE_OPTIONS.dir.defaultValue ? '' : ` -- --out ${dir}`;
  throw stop('dist-missing', `There is no build in ${dir}. Make one with: npm run build${flag}`);
}
