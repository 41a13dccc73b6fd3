// Answers requests at Netlify's edge, from the files of the deployment.
import type { SiteRules } from '#serving/rules.ts';
import { fileUrl, foundIn, handleFetch, responseOf } from './respond.ts';

/** Declared by a build, before the bundled program. */
declare const RULES: SiteRules;

interface Context {
  /** Fetches what follows the function: a file of the deployment, with the headers of Netlify. */
  next(request: Request): Promise<Response>;
}

// A rewrite, for which a function returns a URL, would start the function again for the file.
// biome-ignore lint/style/noDefaultExport: this is how an edge function says what it does
export default async function answer(request: Request, context: Context): Promise<Response> {
  const get = async (file: string, method: 'GET' | 'HEAD') =>
    await foundIn(await context.next(new Request(fileUrl(file, request.url), { method })), file);
  const answered = await handleFetch(request, RULES, {
    read: (file) => get(file, 'GET'),
    has: async (file) => (await get(file, 'HEAD')) !== undefined,
  });
  return responseOf(answered, request);
}
