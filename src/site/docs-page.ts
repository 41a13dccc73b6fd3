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
<p><a href="../">All tokens and contracts of this site</a> · <a href="../openapi.json">openapi.json</a></p>
<div id="api"><p>This page needs JavaScript to draw openapi.json.</p></div>
<script src="../docs/swagger-ui-bundle.js"></script>
<script src="../docs/start.js"></script>
</body>
</html>
`;

export const DOCS_SCRIPT = `// Draws ../openapi.json, in dark colours on a dark screen. Requests go to this site, which
// may be at another URL than the one of its description.
if (window.matchMedia?.('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark-mode');
const root = new URL('..', document.currentScript.src);
fetch(new URL('openapi.json', root))
  .then((response) => response.json())
  .then((description) => {
    window.SwaggerUIBundle({
      spec: { ...description, servers: [{ url: root.href.replace(/[/]$/, ''), description: 'This site' }] },
      dom_id: '#api',
      defaultModelsExpandDepth: 0,
      validatorUrl: null,
    });
  })
  .catch(() => {
    document.getElementById('api').textContent = 'openapi.json could not be loaded. Reload the page to try again.';
  });
`;
