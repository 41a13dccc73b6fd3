// Runs the Worker that a wrangler.jsonc configures, on workerd without network access, until SIGINT or SIGTERM.
// Arguments: the wrangler.jsonc, the output folder of the build (for buckets), the port.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import json5 from 'json5';
import { filesBelow } from '../../support/sample.ts';
import { loadPackage } from './load-package.ts';
import { WORKER_READY } from './workers.ts';

interface Wrangler {
  readonly name: string;
  readonly main: string;
  readonly compatibility_date: string;
  readonly assets?: {
    readonly directory: string;
    readonly binding?: string;
    readonly html_handling?: string;
    readonly not_found_handling?: string;
    readonly run_worker_first?: readonly string[];
  };
  readonly r2_buckets?: readonly { readonly binding: string; readonly bucket_name: string }[];
}

interface MiniflarePackage {
  readonly Miniflare: new (
    options: Readonly<Record<string, unknown>>,
  ) => {
    readonly ready: Promise<URL>;
    getR2Bucket(binding: string): Promise<{ put(key: string, value: Uint8Array): Promise<unknown> }>;
    dispose(): Promise<void>;
  };
}

/** The maximum size of a compressed Worker in the free plan, in bytes. */
const MAX_CODE_BYTES = 3_000_000;

const [file = '', dist = '', port = ''] = process.argv.slice(2);
const folder = dirname(file);
const wrangler = json5.parse<Wrangler>(readFileSync(file, 'utf8'));
const buckets = wrangler.r2_buckets ?? [];
const codeBytes = gzipSync(readFileSync(resolve(folder, wrangler.main))).length;
if (codeBytes > MAX_CODE_BYTES)
  throw new Error(`${wrangler.main} has ${codeBytes} bytes; the limit is ${MAX_CODE_BYTES}`);

const { Miniflare } = loadPackage<MiniflarePackage>('miniflare');
const miniflare = new Miniflare({
  host: '127.0.0.1',
  port: Number(port),
  cf: false, // disables the lookup of the machine's location
  name: wrangler.name,
  modules: true,
  modulesRoot: folder,
  scriptPath: resolve(folder, wrangler.main),
  modulesRules: [{ type: 'ESModule', include: ['**/*.js'] }],
  compatibilityDate: wrangler.compatibility_date,
  ...(wrangler.assets === undefined ? {} : { assets: assetOptions(wrangler.assets) }),
  r2Buckets: Object.fromEntries(buckets.map(({ binding, bucket_name }) => [binding, bucket_name])),
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void miniflare.dispose().finally(() => process.exit(0)));
}
await miniflare.ready;
for (const { binding } of buckets) {
  // Uploads every file of the build to its path, except the build's internal files.
  const bucket = await miniflare.getR2Bucket(binding);
  for (const file of filesBelow(dist)) await bucket.put(file, readFileSync(join(dist, file)));
}
process.stdout.write(`${WORKER_READY}\n`);

function assetOptions(assets: NonNullable<Wrangler['assets']>): Readonly<Record<string, unknown>> {
  return {
    directory: resolve(folder, assets.directory),
    binding: assets.binding,
    routerConfig: { has_user_worker: true, static_routing: staticRouting(assets.run_worker_first ?? []) },
    assetConfig: { html_handling: assets.html_handling, not_found_handling: assets.not_found_handling },
  };
}

/**
 * Sorts the patterns as Wrangler does. Requests that match a pattern with an exclamation mark go to the assets instead
 * of the Worker.
 */
function staticRouting(patterns: readonly string[]) {
  const isAsset = (pattern: string) => pattern.startsWith('!');
  return {
    user_worker: patterns.filter((pattern) => !isAsset(pattern)),
    asset_worker: patterns.filter(isAsset).map((pattern) => pattern.slice(1)),
  };
}
