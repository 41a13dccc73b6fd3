// Renders a Cloudflare Worker. It serves the build from its assets, or from an R2 bucket if the site has too many
// files.
import type { SiteRules } from '#serving/rules.ts';
import { commandLine, shellQuote } from '#text/command-line.ts';
import { FOREVER, HOST_FILE_NAMES, type Host, type HostFile, type HostSite, headersFile, plainFiles } from './host.ts';

/** The version of the Workers runtime that the program was tested with, which is a date. */
const COMPATIBILITY_DATE = '2026-04-01';

const R2 = 'Build with --hosts cloudflare-r2, which serves a bucket.';

export const cloudflare: Host = {
  name: 'cloudflare',
  title: 'Cloudflare Worker',
  instructions: '`npx wrangler deploy --config dist-hosts/cloudflare/wrangler.jsonc`',
  deviations: { versions: FOREVER },
  limits: [
    {
      of: 'files',
      max: 100_000,
      warnsAbove: { max: 20_000, because: 'the limit of the free plan; the paid plan allows 100,000' },
      advice: R2,
    },
    {
      of: 'bytes in a file',
      max: 25 * 1024 * 1024,
      advice: R2,
    },
  ],
  files: (site) => [
    {
      where: 'site',
      path: '.assetsignore',
      text: '# Files that Wrangler excludes from the assets.\n.stxpress\n.assetsignore\n',
    },
    headersFile(site.rules),
    ...workerFiles(
      site,
      `// Deploys this build as a Cloudflare Worker with its files as assets:
//   npx wrangler deploy --config wrangler.jsonc --name my-tokens
// Each \`${commandLine('build', '--hosts cloudflare')}\` writes this file again.
// Images, scripts and style sheets are sent without the Worker, with headers from _headers. Every other request runs the
// Worker, and counts as a request.`,
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

const R2_ENDPOINT = 'https://ACCOUNT.r2.cloudflarestorage.com';

export const cloudflareR2: Host = {
  name: 'cloudflare-r2',
  title: 'Cloudflare Worker and R2',
  instructions:
    `\`${commandLine('publish', '--to s3://stxpress --endpoint …')}\`, then ` +
    '`npx wrangler deploy --config dist-hosts/cloudflare-r2/wrangler.jsonc`',
  deviations: {},
  limits: [],
  files: (site) =>
    workerFiles(
      site,
      `// Deploys this build as a Cloudflare Worker that serves the R2 bucket stxpress, for sites of any size:
//   npx wrangler r2 bucket create stxpress
//   ${commandLine('publish', `--out ${shellQuote(site.folder)} --to s3://stxpress --endpoint ${R2_ENDPOINT}`)}
//   npx wrangler deploy --config wrangler.jsonc --name my-tokens
// Publish again after each build. Only changed files are sent.
// Each \`${commandLine('build', '--hosts cloudflare-r2')}\` writes this file again.`,
      { r2_buckets: [{ binding: 'SITE', bucket_name: 'stxpress' }] },
    ),
};

/**
 * Returns patterns of paths for which Cloudflare runs the Worker first, since the Worker must handle or hide them. For
 * all other paths, Cloudflare sends the asset; if it is missing, the Worker runs. Patterns with exclusions would make a
 * missing image an empty 404. Encoded names and double slashes are included, since Cloudflare redirects them.
 */
function workerPaths(site: SiteRules): string[] {
  const plain = plainFiles(site).map(({ path }) => path);
  const mixed = new Set(plain.map((path) => path.split('/')[0]));
  const handled = site.rules.flatMap(({ path, isFolder }) => {
    const [first] = path.split('/');
    if (!mixed.has(first)) return path === '' ? '/' : `/${first}*`;
    return isFolder || plain.includes(path) ? [] : [`/${path}`, `/${path}/`];
  });
  return [
    ...new Set([...handled, '/errors*', '/.*', '//*', '/*//*', '/*%*', ...HOST_FILE_NAMES.map((name) => `/${name}`)]),
  ];
}

/** Renders the Worker, and the configuration that Wrangler needs to deploy the Worker. */
function workerFiles({ rules, program }: HostSite, comment: string, bindings: object): HostFile[] {
  const worker = `// Responds to requests from the assets of the Worker (binding ASSETS) or from an R2 bucket (SITE).
${program('cloudflare-worker', { RULES: rules })}`;
  const wrangler = { name: 'stxpress', main: 'worker.js', compatibility_date: COMPATIBILITY_DATE, ...bindings };
  return [
    { where: 'outside', path: 'worker.js', text: worker },
    { where: 'outside', path: 'wrangler.jsonc', text: `${comment}\n${JSON.stringify(wrangler, null, 2)}\n` },
  ];
}
