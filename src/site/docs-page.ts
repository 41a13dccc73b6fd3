// Holds the page that draws the description of the API for people, its style, and the script that starts it.

import { explorerVersion } from './bundle.ts';
import { PREVIEW_FILE, renderFooter, renderHeader, renderPage } from './page-frame.ts';
import type { DocumentFacts } from './site-document.ts';

const DESCRIPTION = 'Every response is a file. GET it, cache it, mirror it: no key, no rate limit.';

const CHEVRON = '<svg class="ico" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 6l6 6-6 6"/></svg>';

const COPY = '<svg class="ico" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 9h10v10H9zM15 9V5H5v10h4"/></svg>';

/** Opens the search of the explorer. */
const SEARCH = `<search><form class="search" id="search">
<svg class="ico" viewBox="0 0 24 24" aria-hidden="true"><path d="M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16.5 16.5L20 20"/></svg>
<input class="field" name="text" type="text" placeholder="Search tokens and contracts" autocomplete="off"
aria-label="Search tokens, contracts and addresses"></form></search>`;

/** Swagger UI draws the element `main`, which holds the paths. */
export function renderDocsPage({ name }: Pick<DocumentFacts, 'name'>): string {
  return renderPage({
    name,
    title: 'API',
    description: DESCRIPTION,
    image: `../${PREVIEW_FILE}`,
    more: `<link rel="stylesheet" href="../docs/swagger-ui.css">
<link rel="stylesheet" href="../explorer/app.css?${explorerVersion()}">
<link rel="stylesheet" href="../docs/api.css">`,
    body: `${renderHeader({ root: '../', name, current: 'API', search: SEARCH })}
<div class="wrap" id="page">
<nav class="crumbs" aria-label="Breadcrumbs"><a href="../#/">Explore</a>${CHEVRON}\
<span aria-current="page">API</span></nav>
<section class="hero" aria-labelledby="title">
<h1 id="title">API</h1>
<p class="soft">${DESCRIPTION}</p>
<p class="row"><a class="btn" href="../openapi.json">openapi.json</a> \
<a class="btn" href="../metadata/v1/ft/index.json">All tokens</a></p>
<div class="card" id="try" hidden><p class="tools"><span>Try it</span>\
<button class="ic" type="button" aria-label="Copy command" title="Copy command">${COPY}</button></p><pre class="json" tabindex="0"></pre></div>
<h2 class="unseen">Paths</h2>
</section>
<div id="api"><p class="gap">This page needs JavaScript to draw openapi.json.</p></div>
</div>
${renderFooter()}
<script src="../docs/swagger-ui-bundle.js"></script>
<script src="../docs/start.js"></script>`,
  });
}

/** Gives Swagger UI the colours, fonts and shapes of the explorer. */
export const DOCS_STYLE = `#page { flex: 1; padding-block: 1.5rem 3rem; }
#page section { margin: 0; }
#page .hero { grid-template-columns: minmax(0, 1fr); }
#api main { padding: 0; }
/* Nothing moves when the description comes. */
#api { min-height: 100vh; }
#try[hidden] { display: block; visibility: hidden; }
#try pre { min-height: 3rem; }
#api :is(.information-container, .scheme-container, .models) { display: none; }
#api .swagger-ui, #api .swagger-ui :is(button, input, select, table, .opblock-tag, .opblock-summary-description,
.tab li, .response-col_status, .response-col_links, .parameter__name, .parameter__type, .opblock-title,
h4, h5, label, p) {
  color: var(--ink); font-family: inherit;
}
#api .swagger-ui { background: none; }
#api .swagger-ui .wrapper { max-width: none; padding: 0; }
#api .swagger-ui .opblock-tag {
  margin: 2rem 0 0.75rem; padding: 0; border: 0; font-size: var(--lg); font-weight: 620;
}
#api .swagger-ui .opblock-tag:hover { background: none; }
#api .swagger-ui .opblock {
  margin: 0 0 0.5rem; border: 1px solid var(--line); border-radius: var(--r); background: var(--card); box-shadow: none;
}
#api .swagger-ui .opblock .opblock-summary { border-color: var(--line); padding: 0.375rem 0.75rem; }
#api .swagger-ui .opblock .opblock-summary:hover { background: var(--sunk); }
#api .swagger-ui .opblock .opblock-summary-method {
  flex: none; min-width: 0; padding: 0 0.5rem; border-radius: 1rem; background: var(--tint); color: var(--accent);
  font-size: var(--xs); font-weight: 550; line-height: 1.25rem; text-shadow: none;
}
#api .swagger-ui :is(.opblock-summary-path, .opblock-summary-path a, .parameter__name, code, pre, .microlight) {
  font-family: var(--mono) !important; font-size: var(--sm); color: var(--ink);
}
#api .swagger-ui .opblock-summary-description { color: var(--soft); text-align: end; }
#api .swagger-ui .opblock-section-header { background: var(--sunk); box-shadow: none; }
#api .swagger-ui :is(input, select, textarea) {
  border: 1px solid var(--edge); border-radius: 0.5rem; background: var(--card);
}
#api .swagger-ui .btn { border: 1px solid var(--edge); border-radius: 0.5rem; box-shadow: none; color: var(--ink); }
#api .swagger-ui .btn.execute { border-color: var(--accent); background: var(--accent); color: var(--card); }
#api .swagger-ui :is(.microlight, .highlight-code, .curl) { border-radius: 0.5rem; background: var(--sunk) !important; }
#api .swagger-ui svg:not(:root) { fill: currentColor; }
@media (width < 48rem) { #api .swagger-ui :is(.opblock-summary-description, .opblock-tag small) { display: none; } }
`;

export const DOCS_SCRIPT = `// Draws ../openapi.json, in dark colours on a dark screen.
// Requests go to this site, which may be at another URL than the one in the description.
if (window.matchMedia?.('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark-mode');
const root = new URL('..', document.currentScript.src);
const read = (path) => fetch(new URL(path, root)).then((response) => response.json());
read('openapi.json')
  .then((description) => {
    window.SwaggerUIBundle({
      spec: { ...description, servers: [{ url: root.href.replace(/[/]$/, ''), description: 'This site' }] },
      dom_id: '#api',
      defaultModelsExpandDepth: 0,
      validatorUrl: null,
    });
    const paths = Object.keys(description.paths);
    const path = paths.find((name) => name.includes('/metadata/v1/ft/{principal}')) ?? paths[0] ?? '/';
    const example = description.paths[path]?.get?.parameters?.find(({ in: place }) => place === 'path')?.example ?? '';
    showCommand('curl ' + root.href.replace(/[/]$/, '') + path.replace(/{[^}]*}/, example));
  })
  .catch(() => {
    document.getElementById('api').textContent = 'openapi.json could not be loaded. Reload the page to try again.';
  });
read('metadata/v1/index.json')
  .then(({ chain, chain_tip: tip, site_hash: hash }) => {
    if (chain !== undefined) {
      const badge = Object.assign(document.createElement('span'), { className: 'badge', textContent: chain });
      document.querySelector('.brand').after(badge);
    }
    const count = (number) => number.toLocaleString('en-US');
    const time = tip?.burn_block_time?.slice(0, 16).replace('T', ' ');
    const at = time ? ' · ' + time + ' UTC' : '';
    if (tip !== undefined) document.getElementById('block').textContent = 'Block ' + count(tip.block_height) + at;
    if (hash !== undefined) document.getElementById('hash').textContent = 'Site ' + hash.slice(0, 8) + ' · ';
  })
  .catch(() => {});
document.getElementById('search').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = new FormData(event.target).get('text').trim();
  if (text !== '') location.href = new URL('#/search/' + encodeURIComponent(text), root).href;
});
function showCommand(text) {
  const card = document.getElementById('try');
  const button = card.querySelector('button');
  card.querySelector('pre').textContent = text;
  card.hidden = false;
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    const said = document.createElement('small');
    said.setAttribute('role', 'status');
    said.textContent = isCopied ? 'Copied' : 'Not allowed on this page';
    button.after(said);
    setTimeout(() => said.remove(), 1500);
  });
}
`;
