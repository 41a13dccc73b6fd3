// Renders files for S3 with CloudFront: a function for Lambda@Edge, policies for response headers, and instructions.
import { type Headers, METHODS } from '#serving/headers.ts';
import type { SiteRules } from '#serving/rules.ts';
import { commandLine, shellQuote } from '#text/command-line.ts';
import { FOREVER, type Host, type HostFile, type HostSite, type PlainFiles, plainFiles } from './host.ts';

export const s3CloudFront: Host = {
  name: 's3-cloudfront',
  title: 'S3 and CloudFront',
  instructions: 'the steps in `dist-hosts/s3-cloudfront/README.md`',
  deviations: {
    errors: 'a missing image: 404 as XML',
    headers: 'CORS for requests with an `Origin`',
    versions: FOREVER,
    malformed: 'more than 8 KB: 414',
  },
  limits: [],
  files: (site) => [
    { where: 'outside', path: 'README.md', text: renderReadme(site) },
    { where: 'outside', path: 'origin-request.mjs', text: renderFunction(site) },
    ...policiesOf(site.rules).map((policy) => renderPolicy(policy, site.rules)),
  ],
};

function renderFunction({ rules, program }: HostSite): string {
  return `// Lambda@Edge on origin requests (us-east-1, Node.js 22 or newer): responds to uncached requests.
${program('lambda-origin-request', { RULES: rules })}`;
}

interface Policy {
  readonly name: string;
  /** The path pattern of the CloudFront behaviours that use this policy; empty for the default behaviour. */
  readonly path: string;
  readonly headers: Headers;
}

const CONTENT_POLICY = 'Content-Security-Policy';
const RESOURCE_POLICY = 'Cross-Origin-Resource-Policy';
const CACHING = 'Cache-Control';

/**
 * Returns the policy of each CloudFront behaviour. Only the policies of files with a version replace the caching of S3
 * objects.
 */
function behaviours({ rules, headers: { response } }: SiteRules, plain: readonly PlainFiles[]): Policy[] {
  const inert = { name: 'stxpress', headers: { [CONTENT_POLICY]: response[CONTENT_POLICY] ?? '' } };
  return [
    { path: '', ...inert },
    ...plain.map(({ path, headers }) => {
      if (path.endsWith('/*')) return { path, ...inert };
      const content = { [CONTENT_POLICY]: headers[CONTENT_POLICY] ?? '' };
      const isVersioned = rules.some((rule) => rule.path === path && rule.version !== undefined);
      if (!isVersioned) return { path, name: 'stxpress-scripts', headers: content };
      return { path, name: 'stxpress-versions', headers: { ...content, [CACHING]: headers[CACHING] ?? '' } };
    }),
  ];
}

function policiesOf(site: SiteRules): Policy[] {
  return [...new Map(behaviours(site, plainFiles(site)).map((policy) => [policy.name, policy])).values()];
}

function policyFile({ name }: Policy): string {
  return `${name}-headers.json`;
}

/** Renders a policy in the format that `aws cloudfront create-response-headers-policy` reads. */
function renderPolicy(policy: Policy, { headers }: SiteRules): HostFile {
  const values = { ...policy.headers, [RESOURCE_POLICY]: headers.common[RESOURCE_POLICY] ?? '' };
  const custom = Object.entries(values).map(([name, value]) => ({
    Header: name,
    Value: value,
    // The content policies of pages come from the function, so they stay. The caching of versions is replaced: browsers
    // cache versions longer than CloudFront does.
    Override: name === CACHING,
  }));
  const content = {
    Name: policy.name,
    Comment: 'Headers of a site of stxpress',
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
    CustomHeadersConfig: { Quantity: custom.length, Items: custom },
  };
  return { where: 'outside', path: policyFile(policy), text: `${JSON.stringify(content, null, 2)}\n` };
}

function listOf(value = ''): object {
  const items = value.split(', ');
  return { Quantity: items.length, Items: items };
}

function renderReadme({ folder, rules }: HostSite): string {
  const [standard, ...exceptions] = behaviours(rules, plainFiles(rules));
  const rows = exceptions.map(({ path, name }) => `| \`/${path}\` | \`${name}\` |\n`);
  return `# Deploy this build to S3 and CloudFront

A Lambda@Edge function responds to the requests that CloudFront has not cached. Each
\`${commandLine('build', '--hosts s3-cloudfront')}\` writes these files again.

1. Upload the build, and again after each build. Only changes are sent, and each object gets its content type and
   caching.

       ${commandLine('publish', `--out ${shellQuote(folder)} --to s3://BUCKET --region REGION`)}

2. Create a distribution with the bucket as its S3 origin, by its name with the region
   (\`BUCKET.s3.REGION.amazonaws.com\`) and with an origin access control. If you publish below a prefix, the prefix is
   the origin path. The bucket's policy must allow the distribution \`s3:GetObject\` on its objects.
3. Create the function in us-east-1: Node.js 22 or newer, handler \`index.handler\`, 512 MB of memory, 10 seconds.

       cp origin-request.mjs index.mjs && zip function.zip index.mjs
       aws lambda create-function --region us-east-1 --function-name stxpress --runtime nodejs22.x \\
         --handler index.handler --memory-size 512 --timeout 10 --zip-file fileb://function.zip --publish \\
         --role arn:aws:iam::ACCOUNT:role/ROLE

   Its role must be assumable by \`lambda.amazonaws.com\` and \`edgelambda.amazonaws.com\`, and must allow
   \`s3:GetObject\` on the objects and \`s3:ListBucket\` on the bucket: without the second, S3 does not report missing
   objects, and the function responds with 503. Update the function after an upgrade of stxpress.
4. Create the response headers policies:

       for policy in ${policiesOf(rules).map(policyFile).join(' ')}; do
         aws cloudfront create-response-headers-policy --response-headers-policy-config "file://$policy"
       done

5. Set the default behaviour of the distribution:
   - Associate the published version of the function with origin requests.
   - Give it the policy \`${standard?.name}\`, with compression on and all methods allowed.
   - Give it a cache policy that has all query strings in its key, gzip and brotli on, and a minimum TTL of 0.
   - Set the error caching minimum TTL of 400, 403, 404, 405 and 503 to 0.
6. Create a behaviour for each of these paths, without the function, with its policy, compression on, and
   a cache policy without query strings:

| path | policy |
|---|---|
${rows.join('')}`;
}
