// Answers requests at Vercel's edge, from the files of the deployment: a response that is one file is a rewrite to it.
import { fileHeaders } from '#serving/handle-request.ts';
import type { SiteRules } from '#serving/rules.ts';
import { fileUrl, foundIn, handleFetch, responseOf } from './respond.ts';

/** Declared by a build, before the bundled program: FILES is the folder where vercel.json has the files for it. */
declare const RULES: SiteRules;
declare const FILES: string;

// biome-ignore lint/style/noDefaultExport: this is how middleware says what it does
export default async function middleware(request: Request): Promise<Response> {
  const get = async (file: string, method: 'GET' | 'HEAD') => {
    const url = fileUrl(`${FILES}/${file}`, request.url);
    return await foundIn(await fetch(url, { method, redirect: 'manual' }), file);
  };
  const answer = await handleFetch(request, RULES, {
    read: (file) => get(file, 'GET'),
    has: async (file) => (await get(file, 'HEAD')) !== undefined,
    // A static file has the headers that vercel.json has for its own path.
    sends: (file, headers) =>
      Object.entries(fileHeaders(file, RULES)).every(([name, value]) => headers[name] === value),
  });
  if (answer.file === undefined || answer.body !== undefined) return responseOf(answer, request);
  const url = fileUrl(answer.file, request.url);
  const isOwnPath = url.pathname === new URL(request.url).pathname;
  const next: [string, string] = isOwnPath ? ['x-middleware-next', '1'] : ['x-middleware-rewrite', url.href];
  return new Response(null, { headers: { ...answer.headers, [next[0]]: next[1] } });
}
