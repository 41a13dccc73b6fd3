// Renders the parts that all HTML pages share: the frame, the head, the header with its navigation, and the footer.

import packageJson from '../../package.json' with { type: 'json' };

/** The icon in tabs and bookmarks, as a data: URI, which needs no request. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" rx="5" fill="#08636d"/>' +
  '<path d="M5 6.5h10M5 10h10M5 13.5h6" stroke="#fff" stroke-width="1.8" stroke-linecap="round"/></svg>';

/** The picture of link previews, 1200 by 630 pixels. */
export const PREVIEW_FILE = 'explorer/preview.png';

const MARK =
  '<svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><rect width="20" height="20" rx="5" ' +
  'fill="currentColor"/><path d="M5 6.5h10M5 10h10M5 13.5h6" stroke="var(--card)" stroke-width="1.8" ' +
  'stroke-linecap="round"/></svg>';

interface Page extends Head {
  /** HTML of the elements in `body`. */
  readonly body: string;
}

interface Head {
  /** The name of the site, which any operator chooses. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Absolute or relative URL of the picture of a link preview. */
  readonly image: string;
  /** Other elements, such as styles and scripts. */
  readonly more: string;
}

export function renderPage({ body, ...head }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
${renderHead(head)}
</head>
<body>
${body}
</body>
</html>
`;
}

function renderHead({ name, title, description, image, more }: Head): string {
  return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${escapeHtml(name)}</title>
<meta name="application-name" content="${escapeHtml(name)}">
<meta name="description" content="${description}">
<meta property="og:site_name" content="${escapeHtml(name)}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${image}">
<meta name="twitter:card" content="summary_large_image">
<meta name="theme-color" content="#fff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#181b19" media="(prefers-color-scheme: dark)">
<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
${more}`;
}

interface Header {
  /** The path from the page to the root of the site: empty, or `../`. */
  readonly root: string;
  readonly name: string;
  readonly current: 'Explore' | 'API';
  /** HTML of a search box. */
  readonly search?: string;
}

export function renderHeader({ root, name, current, search = '' }: Header): string {
  const link = (href: string, text: string) =>
    `<a href="${href}"${text === current ? ' aria-current="page"' : ''}>${text}</a>`;
  return `<header class="bar"><div class="wrap">
<a class="brand" href="${root}#/">${MARK}<span>${escapeHtml(name)}</span></a>
${search}<nav aria-label="Site">${link(`${root}#/`, 'Explore')}${link(`${root}docs/`, 'API')}</nav>
</div></header>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Renders the footer. Scripts fill in the block and the hash of the site. */
export function renderFooter(): string {
  return `<footer class="foot"><div class="wrap">
<p>Static files, read from the Stacks blockchain. No key, no rate limit, no tracking.</p>
<p class="num" id="block"></p>
<p><span id="hash"></span>stxpress ${packageJson.version}</p>
</div></footer>`;
}
