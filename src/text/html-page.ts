// Detects HTML pages, which some servers return for any request.

export function isHtmlPage(text: string): boolean {
  return /^\s*<(!doctype html|html|head|body)/i.test(text);
}
