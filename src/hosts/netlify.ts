// Renders an edge function for Netlify, and the headers of files that are sent without it.
import { escapeDots } from '#serving/rules.ts';
import { BUILD_FOR_ANOTHER, FOREVER, type Host, type HostSite, headersFile, notFoundPage, plainFiles } from './host.ts';

export const netlify: Host = {
  name: 'netlify',
  title: 'Netlify',
  use: 'the command in `dist-hosts/netlify/netlify.toml`',
  otherwise: { versions: FOREVER },
  limits: [{ of: 'files in a folder', most: 54_000, wayOut: BUILD_FOR_ANOTHER }],
  files: (site) => [
    headersFile(site.rules),
    // The body of a missing image.
    notFoundPage(site.rules),
    { where: 'beside', path: 'netlify.toml', text: renderConfig(site) },
    { where: 'beside', path: 'edge-functions/stxpress.js', text: renderFunction(site) },
  ],
};

function renderConfig({ relativeFolder }: HostSite): string {
  return `# This build on Netlify, with a program that answers its requests. Run in this folder:
#   npx netlify deploy --prod --no-build --dir "${relativeFolder}"
# Each \`stxpress build --host netlify\` writes this folder anew.
[build]
edge_functions = "edge-functions"
`;
}

/** Netlify caches the responses as their headers say, until the next deployment. */
function renderFunction({ rules, program }: HostSite): string {
  // A path, unlike a pattern, would match with a slash at its end too.
  const plain = plainFiles(rules).map(({ path }) => `^/${escapeDots(path).replace('*', '[^/]+')}$`);
  const config = { pattern: '^/.*$', excludedPattern: plain, cache: 'manual' };
  return `// Answers requests at Netlify's edge, from the files of the deployment.
${program('netlify-function', { RULES: rules })}
export const config = ${JSON.stringify(config)};
`;
}
