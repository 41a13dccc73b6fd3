// A site of one file, with as much configuration for each host as makes it serve that file.

/** Its name ends like a page's. */
export const TINY_FILE = {
  path: '/extended/v1/contract/SP000000000000000000002Q6VF78.html',
  text: '{"abi":"{}"}',
};

/** Paths and texts, below a folder that `dist` is in. */
export function tinySite(dist: string): Readonly<Record<string, string>> {
  return {
    [`dist${TINY_FILE.path}`]: TINY_FILE.text,
    'dist/errors/404.json': '{"error":"Not Found"}',
    'dist/.stxpress/record.sqlite': 'not for the world',
    'dist/serve.json': JSON.stringify({
      cleanUrls: false,
      headers: [{ source: '**', headers: [{ key: 'Content-Type', value: 'application/json' }] }],
    }),
    'dist/.htaccess': 'ForceType application/json\nSetHandler default-handler\n',
    'dist/.assetsignore': '.stxpress\n',
    'hosts/nginx/stxpress.conf': `server {
  listen 8080;
  root "${dist}";
  types { }
  default_type application/json;
}
`,
    'hosts/caddy/Caddyfile': `:8080 {
\troot * "${dist}"
\theader Content-Type application/json
\tfile_server
}
`,
    'dist/_redirects': '/no/* /errors/404.json 404\n',
    'dist/_headers': '/*\n  Content-Type: application/json\n',
    'dist/vercel.json': JSON.stringify({
      routes: [
        { src: '/.*', headers: { 'Content-Type': 'application/json' }, continue: true },
        { handle: 'filesystem' },
        { src: '/no/.*', status: 404, dest: '/errors/404.json' },
      ],
    }),
    ...cloudfront(),
    ...worker(
      'cloudflare',
      `"assets": {
    "directory": "../../dist", "binding": "ASSETS", "html_handling": "none", "run_worker_first": true
  },`,
      'const got = await env.ASSETS.fetch(request); return got.ok ? got.body : null;',
    ),
    ...worker(
      'cloudflare-r2',
      `"r2_buckets": [{ "binding": "SITE", "bucket_name": "site" }],`,
      'return (await env.SITE.get(new URL(request.url).pathname.slice(1)))?.body;',
    ),
  };
}

function cloudfront(): Record<string, string> {
  return {
    'hosts/s3-cloudfront/key-values.json': '{"data":[{"key":"a","value":"b"}]}',
    'hosts/s3-cloudfront/response-headers-policy.json': '{}',
    'hosts/s3-cloudfront/viewer-request.js': `import cf from 'cloudfront';
const store = cf.kvs();
async function handler(event) {
  const request = event.request;
  if ((await store.get('a')) !== 'b') throw new Error('the store is empty');
  return request;
}
`,
    'hosts/s3-cloudfront/origin-response.mjs': `export async function handler(event) {
  const { response } = event.Records[0].cf;
  if (response.status === '403') response.status = '404';
  return response;
}
`,
  };
}

function worker(host: string, bindings: string, body: string): Record<string, string> {
  return {
    [`hosts/${host}/wrangler.jsonc`]: `{
  // A comment, and a comma too many, as the format allows.
  ${bindings}
  "name": "tiny",
  "main": "worker.js",
  "compatibility_date": "2026-04-01",
}
`,
    [`hosts/${host}/worker.js`]: `import { find } from './find.js';
const headers = { 'Content-Type': 'application/json' };
export default {
  async fetch(request, env) {
    const body = await find(request, env);
    return new Response(body ?? '{}', { status: body ? 200 : 404, headers });
  },
};
`,
    [`hosts/${host}/find.js`]: `export async function find(request, env) { ${body} }\n`,
  };
}
