// stxpress serve: serves a build on this machine until it is interrupted.
import { addAbortListener } from 'node:events';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readIfExists } from '#files/read-if-exists.ts';
import { recordFileOf } from '#generator/finished-build.ts';
import { fillPath } from '#layout/response-files.ts';
import { stop } from '#model/failure.ts';
import { startServer } from '#serve/server.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { parseJson } from '#text/parse-json.ts';
import { commandWith } from './command-with.ts';
import type { SettingsOf } from './options.ts';
import type { Context } from './surroundings.ts';

/** The number of example URLs of the API to print. */
const EXAMPLES = 3;

export async function run(settings: SettingsOf<'serve'>, context: Context): Promise<undefined> {
  checkHasBuild(settings.out);
  return whileListening(settings, context, (server) => serveUntilStopped(server, settings, context));
}

/** Starts a server, runs `work`, and then stops the server. Requests return 503 until a build exists. */
export async function whileListening<Result>(
  { out, port, host }: SettingsOf<'serve'>,
  { reporter }: Context,
  work: (server: Server) => Promise<Result>,
): Promise<Result> {
  const server = await startServer({
    folder: out,
    rules: SITE_RULES,
    host,
    port,
    onError: (error) => reporter.warn(`A request failed: ${error instanceof Error ? error.message : String(error)}`),
  });
  try {
    return await work(server);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Prints the URL of the served build, and waits for the interrupt. */
export async function serveUntilStopped(
  server: Server,
  { out, host }: SettingsOf<'serve'>,
  { print, signal }: Context,
): Promise<undefined> {
  const base = urlOf(server, host);
  const examples = ['', 'docs/', ...examplePaths(out)].map((path) => `  ${base}/${path}`);
  print([`Serving ${out} at ${base}, for example:`, ...examples, 'Stop it with Ctrl-C.'].join('\n'));
  await new Promise((resolve) => addAbortListener(signal, resolve));
}

/** Returns paths of example responses, which the API description of the build lists. */
function examplePaths(out: string): string[] {
  const description = parseJson(readIfExists(join(out, 'openapi.json'))?.toString() ?? '') as
    | ApiDescription
    | undefined;
  const examples = Object.entries(description?.paths ?? {}).flatMap(([path, { get }]) => {
    const inPath = (get?.parameters ?? []).filter((parameter) => parameter.in === 'path');
    const values = Object.fromEntries(inPath.map(({ name, example = '' }) => [name, example]));
    return inPath.every(({ example }) => example !== undefined) ? [fillPath({ path: path.slice(1) }, values)] : [];
  });
  return examples.slice(0, EXAMPLES);
}

interface ApiDescription {
  readonly paths?: Record<string, { get?: { parameters?: { in: string; name: string; example?: string }[] } }>;
}

export function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Throws FailureError `dist-missing` for a folder without a finished build. */
export function checkHasBuild(out: string): void {
  if (existsSync(join(out, SITE_RULES.notFound.file))) return;
  if (!existsSync(recordFileOf(out)))
    throw stop('dist-missing', `There is no build in ${out}. Make one with: ${commandWith('build', { out })}`);
  const repair = commandWith('build', { out }, '--full');
  throw stop('dist-missing', `${out} lacks files of its build. Repair it with: ${repair}`);
}
