// Renders what a bucket on S3 behind CloudFront needs beside its objects: a policy of headers, and two functions.

import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { TOKEN_NUMBER_PATTERN } from '#model/token.ts';
import { METHODS } from '#serving/headers.ts';
import { FILE_NAME, PAGE_OFFSET, partSource, type RuleAnswer, type SiteRules } from '#serving/rules.ts';
import { casesOf, FIRST_PAGE_OF_COLLECTIONS, type Host, type HostSite, type RuleCases, WHOLE_PAGES } from './host.ts';

export const s3CloudFront: Host = {
  name: 's3-cloudfront',
  title: 'S3 and CloudFront',
  use: 'the steps in `dist-hosts/s3-cloudfront/README.md`',
  otherwise: {
    variants: 'yes; a percent-encoded name is ignored',
    undeclared: 'yes, and 422 instead of 404 for a token that is not there',
    ...WHOLE_PAGES,
    slices: FIRST_PAGE_OF_COLLECTIONS,
    versions: 'for a minute',
    malformed: '`%2F` is a slash; more than 8 KB: 414',
  },
  limits: [
    {
      of: 'bytes of key values',
      most: 5 * 1024 * 1024,
      wayOut: 'Its key value store takes 5 MB: build for another host.',
    },
  ],
  countRules: (site) => Buffer.byteLength(JSON.stringify(keyValues(site))),
  files: (site) => [
    { where: 'beside', path: 'README.md', text: renderReadme(site) },
    { where: 'beside', path: 'viewer-request.js', text: renderViewerRequest(site) },
    { where: 'beside', path: 'origin-response.mjs', text: renderOriginResponse(site) },
    { where: 'beside', path: 'key-values.json', text: `${JSON.stringify({ data: keyValues(site) }, null, 1)}\n` },
    { where: 'beside', path: 'response-headers-policy.json', text: renderPolicy(site.rules) },
  ],
};

/** Files whose presence decides between answers, and what refuses a variant that is not there. Only keys count. */
function keyValues({ conditional, rules }: HostSite): { readonly key: string; readonly value: string }[] {
  const fixed = casesOf(rules).flatMap(({ isNestedList, refusals }) =>
    isNestedList ? [] : refusals.map(({ file }) => file),
  );
  return [...new Set([...fixed, ...conditional])].map((key) => ({ key, value: '200' }));
}

function isOwnError({ status, needs, file }: RuleAnswer): boolean {
  return status !== 200 && needs === file;
}

/** Writes it as short as possible, for it may have 10 KB: without lists, which it cannot cut. */
function renderViewerRequest({ rules: site, program }: HostSite): string {
  const { headers, unversioned, notFound, badRequest, methodNotAllowed, errors } = site;
  const text = program('cloudfront-viewer-request', {
    site: {
      rules: shorten(casesOf(site)).map((rule) => ({ ...rule, match: withoutParts(rule.match) })),
      unversioned,
      notFound: { file: notFound.file },
      badRequest: { file: badRequest.file },
    },
    parts: PARTS,
    headers: { ...headers.common, ...headers.error, ...headers.preflight },
    otherBody: errors[methodNotAllowed.file],
  });
  return `// CloudFront Function (runtime 2.0) on viewer requests: names the object that answers, before the cache is asked.
import cf from 'cloudfront';
${text}`;
}

/** Parts that many patterns have in common: `<0>`, `<1>` … stand for them. */
const PARTS = [...[PRINCIPAL_PATTERN, TOKEN_NUMBER_PATTERN].map(partSource), FILE_NAME, PAGE_OFFSET];

function withoutParts(pattern: string): string {
  return PARTS.reduce((short, part, index) => short.replaceAll(part, `<${index}>`), pattern);
}

/**
 * The rules without what the function does not need to know: a file needs itself, and what comes after a path's own
 * answer is left to the function on responses. Errors of single paths come first: of a path that has none, nothing but
 * its variants need be known. Rules that differ in their path alone are one: those of answers wherever they are, since
 * a path is no two answers, and those of errors if they are neighbours.
 */
function shorten(rules: readonly RuleCases[]) {
  const short: { groups: string[]; rest: string; answers: readonly object[]; isOwn: boolean }[] = [];
  for (const { path, isFolder, match, answers: all, own, isNestedList } of rules) {
    const [, inner = '', end = ''] = /^\((.*)\)(.*)$/.exec(match) ?? [];
    // The error of a folder is named for it, so the folder is what stands for the path.
    const isError = isFolder && own === undefined && path !== '';
    const [group, rest] = isError ? [path, inner.slice(path.length)] : [inner, end];
    const name = (file: string) => (path === '' || (isFolder && !isError) ? file : file.replace(path, '{path}'));
    // The pages of a list below a parameter are not known here.
    const others = isNestedList && own !== undefined ? [own, own] : all.filter((one) => !isOwnError(one));
    const known = own === undefined ? all : [...all.filter(isOwnError), ...others.slice(0, -1)];
    const answers = known.map(({ query, asks, file }) => ({ query, asks, file: name(file) }));
    const isOwn = own !== undefined;
    const alike = (isOwn ? short.filter((one) => one.isOwn) : short.slice(-1)).find(
      (one) => one.rest === rest && JSON.stringify(one.answers) === JSON.stringify(answers),
    );
    if (alike === undefined) short.push({ groups: [group], rest, answers, isOwn });
    else alike.groups.push(group);
  }
  return short.map(({ groups, rest, answers }) => ({ match: `(${groups.join('|')})${rest}`, answers }));
}

/** By path: the headers that the policy does not set, and what is answered where the bucket has nothing. */
function renderOriginResponse({ rules: { headers, rules, errors }, program }: HostSite): string {
  const policy = 'Content-Security-Policy';
  const text = program('cloudfront-origin-response', {
    common: headers.common,
    error: headers.error,
    errors,
    rules: rules.map((rule) => {
      const own = (rule.headers ?? headers.answer)[policy];
      return {
        match: rule.match,
        headers: own === headers.answer[policy] ? {} : { [policy]: own },
        error: rule.answers.at(-1),
      };
    }),
  });
  return `// Lambda@Edge on origin responses (us-east-1): gives every error its body and its status.
${text}`;
}

/** In the form of \`aws cloudfront create-response-headers-policy\`. */
function renderPolicy({ headers }: SiteRules): string {
  const policy = {
    Name: 'stxpress',
    Comment: 'Headers of every answer that comes from the bucket',
    CorsConfig: {
      AccessControlAllowOrigins: { Quantity: 1, Items: [headers.common['Access-Control-Allow-Origin']] },
      AccessControlAllowHeaders: listOf(headers.preflight['Access-Control-Allow-Headers']),
      AccessControlAllowMethods: listOf(METHODS),
      AccessControlExposeHeaders: listOf(headers.common['Access-Control-Expose-Headers']),
      AccessControlAllowCredentials: false,
      AccessControlMaxAgeSec: Number(headers.preflight['Access-Control-Max-Age']),
      OriginOverride: true,
    },
    SecurityHeadersConfig: { ContentTypeOptions: { Override: true } },
    CustomHeadersConfig: {
      Quantity: 1,
      Items: [{ Header: 'Content-Security-Policy', Value: headers.answer['Content-Security-Policy'], Override: false }],
    },
  };
  return `${JSON.stringify(policy, null, 2)}\n`;
}

function listOf(value = ''): object {
  const items = value.split(', ');
  return { Quantity: items.length, Items: items };
}

function renderReadme({ relativeFolder }: HostSite): string {
  return `# This build on S3 behind CloudFront

Each \`stxpress build --host s3-cloudfront\` writes these files anew.

1. Upload, from this folder, and again after each build: only what changed is sent, each object with its content type
   and caching.

       stxpress publish --out "${relativeFolder}" --to s3://BUCKET --region REGION

2. Create a key value store from \`key-values.json\`, and update it after each build; it says which tokens have an
   answer, and in which locales.
3. Create a CloudFront Function (runtime 2.0) from \`viewer-request.js\`, associate the store with it and it with viewer
   requests.
4. Create a Lambda@Edge function in us-east-1 from \`origin-response.mjs\`, and associate it with origin responses.
5. Create a response headers policy:

       aws cloudfront create-response-headers-policy \\
         --response-headers-policy-config file://response-headers-policy.json

   Give it to the distribution's behaviour, with compression on, all of GET, HEAD and OPTIONS allowed (POST and others
   too, so that the function answers them), a cache policy that honours the origin's caching, and an error caching
   minimum TTL of 0 for 400, 403 and 404.
`;
}
