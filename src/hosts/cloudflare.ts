// Renders a Cloudflare Worker that answers from its own assets, or from an R2 bucket where a site has too many files.
import type { SiteRules } from '#serving/rules.ts';
import { FOREVER, HOST_FILE_NAMES, type Host, type HostFile, type HostSite, headersFile, plainFiles } from './host.ts';

/** Days on which Workers behave as the Worker was tested. */
const COMPATIBILITY_DATE = '2026-04-01';

export const cloudflare: Host = {
  name: 'cloudflare',
  title: 'Cloudflare Worker',
  use: '`npx wrangler deploy --config dist-hosts/cloudflare/wrangler.jsonc`',
  otherwise: { versions: FOREVER },
  limits: [
    {
      of: 'files',
      most: 100_000,
      warnsAbove: { most: 20_000, because: "that is the free plan's limit; the paid plan takes 100,000" },
      wayOut:
        'Build with --host cloudflare-r2, which answers from a bucket, or with --only tokens or --only ft, or index ' +
        'fewer tokens of each collection (--max-nft-tokens).',
    },
    {
      of: 'bytes in a file',
      most: 25 * 1024 * 1024,
      wayOut: 'Build with --host cloudflare-r2, which answers from a bucket.',
    },
  ],
  files: (site) => [
    {
      where: 'site',
      path: '.assetsignore',
      text: '# What Wrangler leaves out of the assets.\n.stxpress\n.assetsignore\n',
    },
    headersFile(site.rules),
    ...workerFiles(
      site,
      `// This build as a Cloudflare Worker with its files as assets:
//   npx wrangler deploy --config wrangler.jsonc --name my-tokens
// Each \`stxpress build --host cloudflare\` writes it anew. Images, scripts and style sheets do not run the Worker, as
// _headers in the assets has their headers; every other request runs it, and counts as one.`,
      {
        assets: {
          directory: site.relativeFolder,
          binding: 'ASSETS',
          html_handling: 'none',
          not_found_handling: 'none',
          run_worker_first: workerPaths(site.rules),
        },
      },
    ),
  ],
};

export const cloudflareR2: Host = {
  name: 'cloudflare-r2',
  title: 'Cloudflare Worker and R2',
  use: '`stxpress publish --to s3://stxpress --endpoint …`, then `npx wrangler deploy --config dist-hosts/cloudflare-r2/wrangler.jsonc`',
  otherwise: {},
  limits: [],
  files: (site) =>
    workerFiles(
      site,
      `// This build as a Cloudflare Worker that answers from the R2 bucket stxpress, for sites of any size:
//   npx wrangler r2 bucket create stxpress
//   stxpress publish --out "${site.relativeFolder}" --to s3://stxpress --endpoint https://ACCOUNT.r2.cloudflarestorage.com
//   npx wrangler deploy --config wrangler.jsonc --name my-tokens
// Publish again after each build: only what changed is sent.
// Each \`stxpress build --host cloudflare-r2\` writes it anew.`,
      { r2_buckets: [{ binding: 'SITE', bucket_name: 'stxpress' }] },
    ),
};

/**
 * Patterns of the paths that run the Worker first: paths that it must answer or hide. Cloudflare answers any other path
 * with its asset, and runs the Worker if the asset is missing. A pattern that excludes plain files would send an empty
 * 404 for a missing image. A name may be encoded, and Cloudflare redirects from a path with two slashes.
 */
function workerPaths(site: SiteRules): string[] {
  const plain = plainFiles(site).map(({ path }) => path);
  const mixed = new Set(plain.map((path) => path.split('/')[0]));
  const answered = site.rules.flatMap(({ path, isFolder }) => {
    const [first] = path.split('/');
    if (!mixed.has(first)) return path === '' ? '/' : `/${first}*`;
    return isFolder || plain.includes(path) ? [] : [`/${path}`, `/${path}/`];
  });
  return [
    ...new Set([...answered, '/errors*', '/.*', '//*', '/*//*', '/*%*', ...HOST_FILE_NAMES.map((name) => `/${name}`)]),
  ];
}

/** The Worker, and how Wrangler deploys it with the files that it answers from. */
function workerFiles({ rules, program }: HostSite, comment: string, bindings: object): HostFile[] {
  const worker = `// Answers requests from the Worker's own assets (binding ASSETS) or from an R2 bucket (SITE).
${program('cloudflare-worker', { RULES: rules })}`;
  const wrangler = { name: 'stxpress', main: 'worker.js', compatibility_date: COMPATIBILITY_DATE, ...bindings };
  return [
    { where: 'beside', path: 'worker.js', text: worker },
    { where: 'beside', path: 'wrangler.jsonc', text: `${comment}\n${JSON.stringify(wrangler, null, 2)}\n` },
  ];
}
