// Renders the HTML page of a token for link previews: title, description and picture. It leads to the explorer.

import { isBlank, shownName } from '#model/shown-name.ts';
import type { TokenResponse } from '#routes/token-response.ts';
import { escapeHtml, renderPage } from './page-frame.ts';
import { PREVIEW_FILE } from './preview.ts';

/** Longer names and descriptions are cut: chats show about this much. */
const [MAX_NAME, MAX_DESCRIPTION] = [100, 300];
const ROOT = '../../';

/** `publicUrl`: without a slash at its end; empty if unknown. Chats load only pictures with an absolute URL. */
export function renderTokenPage(contractId: string, token: TokenResponse, publicUrl: string): string {
  const { name, symbol, description, image_uri: image } = token;
  const hasSymbol = !isBlank(symbol) && symbol !== name;
  const title = `${cut(shownName(name), MAX_NAME)}${hasSymbol ? ` (${cut(symbol ?? '', MAX_NAME)})` : ''}`;
  const site = publicUrl === '' ? ROOT : `${publicUrl}/`;
  const place = `${site}#/token/${contractId}`;
  return renderPage({
    title,
    description: isBlank(description) ? `A token on Stacks: ${contractId}` : cut(description ?? '', MAX_DESCRIPTION),
    image: image === undefined ? `${site}${PREVIEW_FILE}` : image.startsWith('/') ? `${site}${image.slice(1)}` : image,
    more: `<meta http-equiv="refresh" content="0; url=${place}">`,
    body: `<p><a href="${place}">${escapeHtml(title)}</a> <code>${contractId}</code></p>`,
  });
}

function cut(text: string, maxLength: number): string {
  // A surrogate pair is not split.
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`;
}
