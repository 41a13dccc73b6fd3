// Responds to requests at Vercel's edge with files of the deployment. If the response is one file, rewrites the request
// to the file.
import { fileHeaders } from '#serving/handle-request.ts';
import type { SiteRules } from '#serving/rules.ts';
import { fileUrl, foundIn, handleFetch, responseOf } from './respond.ts';

/**
 * `RULES`: the rules of the site. `FILES`: the folder that files are read from (vercel.json). A build defines these
 * constants before the bundled program.
 */
declare const RULES: SiteRules;
declare const FILES: string;

// biome-ignore lint/style/noDefaultExport: Vercel requires a default export
export default async function middleware(request: Request): Promise<Response> {
  const get = async (file: string, method: 'GET' | 'HEAD') => {
    const url = fileUrl(`${FILES}/${file}`, request.url);
    return await foundIn(await fetch(url, { method, redirect: 'manual' }), file);
  };
  const response = await handleFetch(request, RULES, {
    read: (file) => get(file, 'GET'),
    has: async (file) => (await get(file, 'HEAD')) !== undefined,
    // Vercel sends a static file with the headers that vercel.json has for its path.
    sends: (file, headers) =>
      Object.entries(fileHeaders(file, RULES)).every(([name, value]) => headers[name] === value),
  });
  if (response.file === undefined || response.body !== undefined) return responseOf(response, request);
  const url = fileUrl(response.file, request.url);
  const isSamePath = url.pathname === new URL(request.url).pathname;
  const next: [string, string] = isSamePath ? ['x-middleware-next', '1'] : ['x-middleware-rewrite', url.href];
  return new Response(null, { headers: { ...response.headers, [next[0]]: next[1] } });
}
