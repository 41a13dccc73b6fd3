// Detects HTML pages, which some servers return for any request.

/** Elements that begin a page: the list of the MIME Sniffing standard, section 7.1, and others found in real pages. */
const HTML_ELEMENTS = new Set(
  `html head body script iframe h1 h2 h3 h4 h5 h6 div font table a style title b br p meta link base noscript template
  header footer nav main section article aside center span strong em i u img picture ul ol li dl pre code hr form input
  button label frameset blockquote address small big tt`.split(/\s+/),
);
/** A byte order mark, as UTF-8 or misread as Latin-1. */
const BYTE_ORDER_MARK = /^(?:\ufeff|\u00ef\u00bb\u00bf)+/;
const DOCTYPE_HTML = /<!doctype\s+html(?![\w:.-])/iy;
const OPENING_TAG = /<([a-z][a-z0-9]*)(?![\w:.-])/iy;
const SPACE = /\s*/y;

/** True if the first markup after comments is HTML, or if plain text follows a comment. */
export function isHtmlPage(text: string): boolean {
  let at = BYTE_ORDER_MARK.exec(text)?.[0].length ?? 0;
  let hasComment = false;
  let isXml = false;
  for (;;) {
    at += matchAt(SPACE, text, at)?.[0].length ?? 0;
    const isComment = text.startsWith('<!--', at);
    if (!isComment && !text.startsWith('<?', at)) break;
    if (isComment) hasComment = true;
    else isXml = true;
    // `<!-->` is a complete comment.
    const end = isComment ? text.indexOf('-->', at + 2) : text.indexOf('>', at);
    if (end === -1) return isComment && !isXml;
    at = end + (isComment ? 3 : 1);
  }
  if (matchAt(DOCTYPE_HTML, text, at) !== null) return true;
  const element = matchAt(OPENING_TAG, text, at)?.[1]?.toLowerCase();
  // In XML, elements of other languages may have the same names, so only `html` counts.
  if (isXml) return element === 'html';
  return element === undefined ? hasComment && text[at] !== '<' : HTML_ELEMENTS.has(element);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
