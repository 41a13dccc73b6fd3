// Renders the landing page, which loads the explorer. Without JavaScript, it links to the description of the API.

import { explorerVersion } from './bundle.ts';
import { PREVIEW_FILE, renderFooter, renderHeader, renderPage } from './page-frame.ts';
import type { DocumentFacts } from './site-document.ts';

const DESCRIPTION =
  'Names, symbols, pictures, source code and interfaces of every token and contract on Stacks, as plain files.';

/** `publicUrl`: the URL of the site without a slash at its end; empty if it is unknown. */
export function renderLandingPage({ publicUrl, name }: Pick<DocumentFacts, 'publicUrl' | 'name'>): string {
  return renderPage({
    name,
    title: 'Tokens and contracts on Stacks',
    description: DESCRIPTION,
    image: publicUrl === '' ? PREVIEW_FILE : `${publicUrl}/${PREVIEW_FILE}`,
    more: `<link rel="stylesheet" href="explorer/app.css?${explorerVersion()}">
<script type="module" src="explorer/app.js?${explorerVersion()}"></script>`,
    body: `<div id="explorer">
${renderHeader({ root: '', name, current: 'Explore' })}
<main class="wrap" id="page">
<div class="gap hero">
<h1>Every token and contract on Stacks</h1>
<p class="soft">${DESCRIPTION}</p>
<p class="row"><a class="btn" href="docs/">The API</a> <a class="btn" href="openapi.json">openapi.json</a> \
<a class="btn" href="metadata/v1/index.json">Status</a></p>
</div>
</main>
${renderFooter()}
</div>`,
  });
}
