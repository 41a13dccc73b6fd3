// Renders what a bucket on S3 behind CloudFront needs: object metadata, a policy of headers, and functions for what a bucket cannot say.
import { METHODS } from '#model/answer-headers.ts';
import type { ErrorRule, SiteRules } from '#model/site-rules.ts';
import { headersOf } from './edge/plan-answer.js';
import { EVERYTHING, type Host, type HostSite, ownErrors, WHOLE_PAGES } from './host.ts';

const MEGABYTE = 1024 * 1024;

export const s3CloudFront: Host = {
  name: 's3-cloudfront',
  title: 'S3 and CloudFront',
  use: 'the steps in `dist-hosts/s3-cloudfront/README.md`',
  abilities: {
    ...EVERYTHING,
    variants: 'yes; a percent-encoded name is ignored',
    slices: WHOLE_PAGES,
    malformed: '`%2F` is a slash; more than 8 KB: 414',
  },
  limits: [
    {
      of: 'bytes of key values',
      most: 5 * MEGABYTE,
      wayOut: 'Its key value store takes 5 MB: build for another host.',
    },
  ],
  countRules: (site) => Buffer.byteLength(JSON.stringify(keyValues(site))),
  files: (site) => [
    { place: 'beside', path: 'README.md', text: renderReadme(site) },
    {
      place: 'beside',
      path: 'viewer-request.js',
      text: site.program('cloudfront-viewer-request.js').replace('/* RULES */', () => renderRequestRules(site)),
    },
    {
      place: 'beside',
      path: 'origin-response.mjs',
      text: site.program('cloudfront-origin-response.js').replace('/* RULES */', () => renderResponseRules(site)),
    },
    { place: 'beside', path: 'key-values.json', text: `${JSON.stringify({ data: keyValues(site) }, null, 1)}\n` },
    { place: 'beside', path: 'response-headers-policy.json', text: renderPolicy(site.rules) },
  ],
  manifest: {
    path: 'manifest.ndjson',
    line: ({ path, bytes, sha256 }, rules) => {
      const headers = headersOf({ status: 200, file: path }, rules);
      return JSON.stringify({
        key: path,
        file: path,
        content_type: headers['Content-Type'],
        cache_control: headers['Cache-Control'],
        bytes,
        sha256,
      });
    },
  },
};

/** Status of each path whose answer depends on what is there, and every variant. */
function keyValues({ facts }: HostSite): { readonly key: string; readonly value: string }[] {
  const errors = ownErrors(facts).map(({ path, status }) => ({ key: path, value: String(status) }));
  const answers = facts.conditional.filter((path) => !path.startsWith('errors/'));
  return [...answers.map((key) => ({ key, value: '200' })), ...errors];
}

/** What the function on requests must know, in as few words as possible: it may have 10 KB. */
function renderRequestRules({ rules }: HostSite): string {
  return declare({
    headers: { ...rules.headers.common, ...rules.headers.error },
    preflight: rules.headers.preflight,
    methods: METHODS,
    notFound: errorOf(rules.notFound),
    badRequest: errorOf(rules.badRequest),
    methodNotAllowed: errorOf(rules.methodNotAllowed),
    documents: Object.fromEntries(rules.documents.map(({ path, file }) => [path, file])),
    pages: Object.fromEntries(rules.documents.flatMap(({ path, file, isPage }) => (isPage ? [[path, file]] : []))),
    routes: rules.routes.map((route) => ({
      fixed: route.fixed,
      segments: route.segments,
      files: route.files,
      variants: route.variants.map(({ name, forms, otherwise }) => ({
        name,
        forms,
        otherwise: otherwise === 'answer' ? otherwise : errorOf(otherwise),
      })),
      notFound: errorOf(route.notFound),
      badRequest: errorOf(route.badRequest),
      ownErrors: route.ownErrors,
    })),
  });
}

function renderResponseRules({ rules }: HostSite): string {
  return declare({
    common: rules.headers.common,
    error: rules.headers.error,
    documents: rules.documents.map(({ file }) => file),
    documentPolicy: rules.headers.document['Content-Security-Policy'],
    notFound: errorOf(rules.notFound),
    routes: rules.routes.map(({ fixed, segments, files, notFound }) => ({
      fixed,
      hasParameters: segments.length > 0,
      files,
      notFound: errorOf(notFound),
    })),
  });
}

function declare(rules: object): string {
  return `const RULES = ${JSON.stringify(rules)};`;
}

function errorOf({ status, body }: ErrorRule) {
  return { status, body };
}

/** In the form of \`aws cloudfront create-response-headers-policy\`. */
function renderPolicy({ headers }: SiteRules): string {
  const policy = {
    Name: 'stxpress',
    Comment: 'Headers of every answer that comes from the bucket',
    CorsConfig: {
      AccessControlAllowOrigins: { Quantity: 1, Items: [headers.common['Access-Control-Allow-Origin']] },
      AccessControlAllowHeaders: { Quantity: 1, Items: ['*'] },
      AccessControlAllowMethods: { Quantity: 3, Items: METHODS.split(', ') },
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

function renderReadme({ relativeFolder }: HostSite): string {
  return `# This build on S3 behind CloudFront

Each \`stxpress build --host s3-cloudfront\` writes these files anew.

1. Upload. \`manifest.ndjson\` names every object with its content type and caching; with the AWS command line, from this folder:

       aws s3 sync "${relativeFolder}" s3://BUCKET --delete --exclude '.stxpress/*' --exclude 'images/*' --exclude index.html --exclude 404.html --exclude 'docs/*' \\
         --content-type application/json --cache-control 'public, max-age=60, must-revalidate'
       aws s3 sync "${relativeFolder}" s3://BUCKET --exclude '*' --include 'index.html' --include 'docs/*' --cache-control 'public, max-age=60, must-revalidate'
       aws s3 sync "${relativeFolder}/images" s3://BUCKET/images --cache-control 'public, max-age=31536000, immutable'

2. Create a key value store from \`key-values.json\`, and update it after each build; it says which tokens have which answer.
3. Create a CloudFront Function (runtime 2.0) from \`viewer-request.js\`, associate the store with it and it with viewer requests.
4. Create a Lambda@Edge function in us-east-1 from \`origin-response.mjs\`, and associate it with origin responses.
5. Create a response headers policy: \`aws cloudfront create-response-headers-policy --response-headers-policy-config file://response-headers-policy.json\`,
   and give it to the distribution's behaviour, with compression on, all of GET, HEAD and OPTIONS allowed (POST and others too, so that
   the function answers them), a cache policy that honours the origin's caching, and an error caching minimum TTL of 0 for 403 and 404.
`;
}
