// Renders serve.json, which makes plain `serve` answer every 200 with the right content type; what it cannot do, `stxpress serve` does.
import { answerHeaders, COMMON_HEADERS } from '#model/answer-headers.ts';
import { IMAGE_FOLDER, IMAGE_TYPES } from '#model/image-file.ts';

/** Where `serve` looks for it, in the folder that it serves. */
export const SERVE_JSON_PATH = 'serve.json';

export function renderServeJson(): string {
  const rule = (source: string, headers: Readonly<Record<string, string>>) => ({
    source,
    headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
  });
  const imageRules = Object.keys(IMAGE_TYPES).map((extension) =>
    rule(`${IMAGE_FOLDER}/*.${extension}`, answerHeaders(`${IMAGE_FOLDER}/x.${extension}`)),
  );
  const config = {
    // A contract may be called `html` or `index`: no name is a type or a folder's page.
    cleanUrls: false,
    trailingSlash: false,
    directoryListing: false,
    // The last rule that matches wins.
    headers: [rule('**', { ...answerHeaders(''), ...COMMON_HEADERS }), ...imageRules],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
