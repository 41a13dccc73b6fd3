// Holds the page that shows the API description with Swagger UI, and the script that starts it.

import { ICON_LINK } from './icon.ts';

export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>stxpress API</title>
<link rel="stylesheet" href="../docs/swagger-ui.css">
${ICON_LINK}
</head>
<body>
<p><a href="../">All tokens and contracts of this site</a> · <a href="../openapi.json">openapi.json</a></p>
<div id="api"><p>Showing openapi.json requires JavaScript.</p></div>
<script src="../docs/swagger-ui-bundle.js"></script>
<script src="../docs/start.js"></script>
</body>
</html>
`;

export const DOCS_SCRIPT = `// Shows ../openapi.json, with dark colours if the system uses them. Sends requests
// to this site, whose URL may differ from the URL in the description.
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
