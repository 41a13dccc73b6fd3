// Renders a Cloudflare Worker that answers from its own assets, or from an R2 bucket where a site has too many files.
import type { Host, HostFile, HostSite } from './host.ts';

/** Days on which Workers behave as the Worker was tested. */
const COMPATIBILITY_DATE = '2026-04-01';

export const cloudflare: Host = {
  name: 'cloudflare',
  title: 'Cloudflare Worker',
  use: '`npx wrangler deploy --config dist-hosts/cloudflare/wrangler.jsonc`',
  otherwise: {},
  // It reads them whatever .assetsignore says.
  notWith: { netlify: 'Wrangler applies the _redirects and _headers of Netlify to its assets' },
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
      text: '# What Wrangler leaves out of the assets.\n.stxpress\n.assetsignore\n_headers\n_redirects\n',
    },
    ...workerFiles(
      site,
      `// This build as a Cloudflare Worker with its files as assets:
//   npx wrangler deploy --config wrangler.jsonc --name my-tokens
// Each \`stxpress build --host cloudflare\` writes it anew. Every request runs the Worker, and counts as one.`,
      {
        assets: {
          directory: site.relativeFolder,
          binding: 'ASSETS',
          html_handling: 'none',
          not_found_handling: 'none',
          run_worker_first: true,
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

/** The Worker, and how Wrangler deploys it with the files that it answers from. */
function workerFiles({ rules, program }: HostSite, comment: string, bindings: object): HostFile[] {
  const worker = `// Answers requests from the Worker's own assets (binding ASSETS) or from an R2 bucket (SITE).
${program('cloudflare-worker', rules)}`;
  const wrangler = { name: 'stxpress', main: 'worker.js', compatibility_date: COMPATIBILITY_DATE, ...bindings };
  return [
    { where: 'beside', path: 'worker.js', text: worker },
    { where: 'beside', path: 'wrangler.jsonc', text: `${comment}\n${JSON.stringify(wrangler, null, 2)}\n` },
  ];
}
