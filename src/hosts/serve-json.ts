// Renders serve.json, which makes plain `serve` answer every 200 with the right content type; what it cannot do, `stxpress serve` does.
import { CACHE_ANSWER, COMMON_HEADERS, CONTENT_TYPE } from '#model/answer-headers.ts';

/** Where `serve` looks for it, in the folder that it serves. */
export const SERVE_JSON_PATH = 'serve.json';

export function renderServeJson(): string {
  const headers = { 'Content-Type': CONTENT_TYPE, 'Cache-Control': CACHE_ANSWER, ...COMMON_HEADERS };
  const config = {
    // A contract may be called `html` or `index`: no name is a type or a folder's page.
    cleanUrls: false,
    trailingSlash: false,
    directoryListing: false,
    headers: [{ source: '**', headers: Object.entries(headers).map(([key, value]) => ({ key, value })) }],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
