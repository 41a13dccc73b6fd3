// The page that draws the description of the API, for people: Swagger UI, from this site alone.
// swagger-ui-dist is kept by its makers, Apache-2.0, one script and one style sheet; it tries requests out as well.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface DescribingFile {
  readonly path: string;
  readonly body: string | Uint8Array;
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>stxpress: the API</title>
<link rel="stylesheet" href="../docs/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="api"><p>The API is described in <a href="../openapi.json">openapi.json</a>; this page needs JavaScript to draw it.</p></div>
<script src="../docs/swagger-ui-bundle.js"></script>
<script src="../docs/start.js"></script>
</body>
</html>
`;

const START = `// Draws ../openapi.json, wherever this script is.
window.SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  dom_id: '#api',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

export function docsFiles(): DescribingFile[] {
  const read = (name: string) => readFileSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)));
  return [
    { path: 'docs/index.html', body: PAGE },
    { path: 'docs/start.js', body: START },
    { path: 'docs/swagger-ui-bundle.js', body: read('swagger-ui-bundle.js') },
    { path: 'docs/swagger-ui.css', body: read('swagger-ui.css') },
    {
      path: 'docs/LICENSE.txt',
      body: ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt'].map((name) => read(name).toString()).join('\n\n'),
    },
  ];
}
