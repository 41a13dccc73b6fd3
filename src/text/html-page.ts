// Detects HTML pages, which some servers return for any request.

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
/** Tags that begin a page. In XML, elements of other languages have the same names, so only `html` counts. */
const PAGE =
  /^[\s\ufeff\u00ef\u00bb\u00bf]*(?:(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)|<(?:head|body|script|iframe|h[1-6]|div|font|table|a|style|title|b|br|p|meta|link|center))(?![\w:.-])/i;

/** True if the first markup after comments is HTML. */
export function isHtmlPage(text: string): boolean {
  return PAGE.test(text.replace(COMMENT, ''));
}
