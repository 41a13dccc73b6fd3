// Lists the documents of a site, which are all files that are not responses of routes: pages with their scripts and
// style sheets, and the API description. To add a file, add an entry here.

import { readFileSync } from 'node:fs';
import { HEADER_RULES } from '#serving/headers.ts';
import { readBundle } from './bundle.ts';
import { DOCS_SCRIPT, DOCS_STYLE, renderDocsPage } from './docs-page.ts';
import { renderLandingPage } from './landing-page.ts';
import { PREVIEW_FILE } from './page-frame.ts';
import type { DocumentFacts, SiteDocument } from './site-document.ts';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

export const DOCUMENTS: readonly SiteDocument[] = [
  { ...document('index.html', HTML, renderLandingPage), isPage: true },
  { ...bundled('explorer/app.js', SCRIPT), isVersioned: true },
  bundled('explorer/clarity-values.js', SCRIPT),
  { ...bundled('explorer/app.css', STYLE), isVersioned: true },
  document(PREVIEW_FILE, 'image/png', () => readFileSync(new URL('./preview.png', import.meta.url))),
  { ...document('docs/index.html', HTML, renderDocsPage), isPage: true },
  document('docs/api.css', STYLE, () => DOCS_STYLE),
  document('docs/start.js', SCRIPT, () => DOCS_SCRIPT),
  bundled('docs/swagger-ui-bundle.js', SCRIPT),
  bundled('docs/swagger-ui.css', STYLE),
  bundled('docs/LICENSE.txt', 'text/plain; charset=utf-8'),
  { ...document('openapi.json', 'application/json', renderApi), hasExamples: true },
];

function document(file: string, type: string, render: SiteDocument['render']): SiteDocument {
  return { file, headers: { ...HEADER_RULES.document, 'Content-Type': type }, render };
}

function bundled(file: string, type: string): SiteDocument {
  return document(file, type, () => readBundle(file));
}

async function renderApi({ store, routes, publicUrl, name }: DocumentFacts): Promise<string> {
  const [{ renderOpenApi }, { readExampleIds }] = await Promise.all([import('./openapi.ts'), import('./examples.ts')]);
  return renderOpenApi({ routes, publicUrl, name, ids: await readExampleIds(store) });
}
