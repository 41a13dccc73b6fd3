// Tells an HTML page, which servers answer with whatever they were asked for, from anything else.

export function isHtmlPage(text: string): boolean {
  return /^\s*<(!doctype html|html|head|body)/i.test(text);
}
