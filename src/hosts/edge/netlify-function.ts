// Responds to requests at Netlify's edge with files of the deployment.
import type { SiteRules } from '#serving/rules.ts';
import { fileUrl, foundIn, handleFetch, responseOf } from './respond.ts';

/** The rules of the site. A build defines this constant before the bundled program. */
declare const RULES: SiteRules;

interface Context {
  /** Fetches a file of the deployment; the response has the headers of Netlify. */
  next(request: Request): Promise<Response>;
}

// Fetches the file instead of returning a URL, which would start the function again.
// biome-ignore lint/style/noDefaultExport: Netlify requires a default export
export default async function respond(request: Request, context: Context): Promise<Response> {
  const get = async (file: string, method: 'GET' | 'HEAD') =>
    await foundIn(await context.next(new Request(fileUrl(file, request.url), { method })), file);
  const response = await handleFetch(request, RULES, {
    read: (file) => get(file, 'GET'),
    has: async (file) => (await get(file, 'HEAD')) !== undefined,
  });
  return responseOf(response, request);
}
