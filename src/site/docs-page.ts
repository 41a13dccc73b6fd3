// Holds the page that draws the description of the API for people, and the script that starts it.

import { ICON_LINK } from './icon.ts';

export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>stxpress: the API</title>
<link rel="stylesheet" href="../docs/swagger-ui.css">
${ICON_LINK}
</head>
<body>
<p><a href="../">All tokens and contracts of this site</a></p>
<div id="api"><p>The API is described in <a href="../openapi.json">openapi.json</a>; \
this page needs JavaScript to draw it.</p></div>
<script src="../docs/swagger-ui-bundle.js"></script>
<script src="../docs/start.js"></script>
</body>
</html>
`;

export const DOCS_SCRIPT = `// Draws ../openapi.json, wherever this script is, dark where the reader's screen is.
if (window.matchMedia?.('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark-mode');
window.SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  dom_id: '#api',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;
