// Renders an edge function for Netlify, and the headers of files that Netlify sends without the function.
import { escapeDots } from '#serving/rules.ts';
import { BUILD_FOR_ANOTHER, FOREVER, type Host, type HostSite, headersFile, notFoundPage, plainFiles } from './host.ts';

export const netlify: Host = {
  name: 'netlify',
  title: 'Netlify',
  use: 'the command in `dist-hosts/netlify/netlify.toml`',
  otherwise: { versions: FOREVER },
  limits: [{ of: 'files in a folder', max: 54_000, advice: BUILD_FOR_ANOTHER }],
  files: (site) => [
    headersFile(site.rules),
    // This page is the response to a request for a missing image.
    notFoundPage(site.rules),
    { where: 'outside', path: 'netlify.toml', text: renderConfig(site) },
    { where: 'outside', path: 'edge-functions/stxpress.js', text: renderFunction(site) },
  ],
};

function renderConfig({ relativeFolder }: HostSite): string {
  return `# Deploys this build to Netlify with an edge function. Run in this folder:
#   npx netlify deploy --prod --no-build --dir "${relativeFolder}"
# Each \`stxpress build --hosts netlify\` writes this folder again.
[build]
edge_functions = "edge-functions"
`;
}

/** Renders the edge function. Netlify caches its responses as their headers allow, until the next deployment. */
function renderFunction({ rules, program }: HostSite): string {
  // These are patterns, since Netlify would apply a plain path also to the path with a trailing slash.
  const plain = plainFiles(rules).map(({ path }) => `^/${escapeDots(path).replace('*', '[^/]+')}$`);
  const config = { pattern: '^/.*$', excludedPattern: plain, cache: 'manual' };
  return `// Responds to requests at Netlify's edge from the files of the deployment.
${program('netlify-function', { RULES: rules })}
export const config = ${JSON.stringify(config)};
`;
}
