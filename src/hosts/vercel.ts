// Renders middleware for Vercel, and vercel.json with the headers of files.
import { escapeDots } from '#serving/rules.ts';
import { BUILD_FOR_ANOTHER, FOREVER, type Host, type HostSite, plainFiles } from './host.ts';

export const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  use: '`vercel deploy --prod dist`, with `middleware.js` and `vercel.json`',
  otherwise: { versions: FOREVER, malformed: 'two slashes: 308 to one' },
  limits: [
    { of: 'files', max: 15_000, advice: BUILD_FOR_ANOTHER },
    { of: 'bytes in a file', max: 100_000_000, advice: 'Build for another host.' },
  ],
  files: (site) => [
    { where: 'site', path: 'middleware.js', text: renderMiddleware(site) },
    { where: 'site', path: 'vercel.json', text: `${JSON.stringify({ routes: routes(site) }, null, 2)}\n` },
    { where: 'site', path: '.vercelignore', text: '# Files that Vercel excludes from the deployment.\n.stxpress\n' },
  ],
};

/** The program reads a file by a path in this folder, since requests for such a path do not run the program. */
const FILES = '.files';

function renderMiddleware({ rules, program }: HostSite): string {
  const plain = [`${FILES}/*`, ...plainFiles(rules).map(({ path }) => path)];
  const excluded = plain.map((path) => escapeDots(path).replace(/\*$/, '.*')).join('|');
  const config = { matcher: [`/((?!(?:${excluded})$).*)`] };
  return `// Responds to requests at Vercel's edge from the files of the deployment.
${program('vercel-middleware', { RULES: rules, FILES })}
export const config = ${JSON.stringify(config)};
`;
}

/**
 * Returns headers by path, for plain files and for files that the program rewrites requests to. Later headers replace
 * earlier ones.
 */
function routes({ rules: { headers, rules, notFound } }: HostSite): object[] {
  const all = [
    { src: '/.*', headers: { ...headers.common, ...headers.response }, continue: true },
    ...rules.flatMap(({ match, headers: values, version }) => {
      const caching = version && { 'Cache-Control': version.caching };
      return values === undefined ? [] : [{ src: `/${match}`, headers: { ...values, ...caching }, continue: true }];
    }),
    { src: `/${escapeDots(FILES)}/(.*)`, dest: '/$1' },
    { handle: 'filesystem' },
    { src: '/.*', status: notFound.status, dest: `/${notFound.file}`, headers: headers.error },
  ];
  // Two contracts may have names that differ only in case.
  return all.map((route) => ('src' in route ? { ...route, caseSensitive: true } : route));
}
