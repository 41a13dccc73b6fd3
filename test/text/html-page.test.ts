import { expect, test } from 'vitest';
import { isHtmlPage } from '#text/html-page.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

test.each([
  ...['<!DOCTYPE HTML', '<HTML', '<HEAD', '<SCRIPT', '<IFRAME', '<H1', '<DIV', '<FONT', '<TABLE', '<A', '<STYLE'],
  ...['<TITLE', '<B', '<BODY', '<BR', '<P'],
])('recognizes the pattern %s of MIME Sniffing, section 7.1', (pattern) => {
  for (const tag of [pattern, pattern.toLowerCase()])
    for (const page of [`${tag}>`, `${tag} x>`, ` \t\r\n\f${tag}>`]) expect(isHtmlPage(page), page).toBe(true);
});

test.each([
  ['comments before a tag', '<!-- a --> <!----> <p>Not found'],
  ['other tags in a comment', '<!-- <svg> --><html>'],
  [
    'an XML declaration',
    '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">',
  ],
  [
    'an XML declaration without a document type',
    '<?xml version="1.0"?><!-- a --><html xmlns="http://www.w3.org/1999/xhtml">',
  ],
  ['spaces in the document type', '<!DOCTYPE  \n html>'],
  ['an old document type', '<!doctype html SYSTEM "about:legacy-compat">'],
  ['a meta element', '<meta charset="utf-8">'],
  ['a link element', '<link rel=icon href=x>'],
  ['a tag on two lines', '<html\nlang="en">'],
  ['a closed tag', '<br/>'],
  ['a byte order mark', '\ufeff<html>'],
  ['a byte order mark in Latin-1', '\u00ef\u00bb\u00bf <html>'],
  ['a heading', '<h2>502 Bad Gateway</h2>'],
])('recognizes a page with %s', (_, page) => {
  expect(isHtmlPage(page)).toBe(true);
});

test.each([
  ['an SVG', SVG],
  ['an SVG after a comment', `<!-- Generator: Adobe Illustrator -->\n${SVG}`],
  ['an SVG after a declaration', `<?xml version="1.0"?><!-- a -->${SVG}`],
  ['an SVG with a type', `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">${SVG}`],
  ['an SVG with HTML inside', '<svg><foreignObject><html/></foreignObject></svg>'],
  ['an SVG with a prefix', '<a:svg xmlns:a="http://www.w3.org/2000/svg"/>'],
  ['a comment in XML', '<?xml version="1.0"?><!-- <html> -->'],
  ['an error in XML', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'],
  ['an XML element with the name of an HTML one', '<?xml version="1.0"?><title>x</title>'],
  ['a feed', '<rss version="2.0">'],
  ['an element with a longer name', '<bodyguard>'],
  ['an element with a hyphen', '<html-page>'],
  ['another type', '<!DOCTYPE htmlx>'],
  ['JSON', '{"name":"<html>"}'],
  ['text', 'Not found <html>'],
  ['less than', '1 < 2'],
  ['a space before the tag name', '< html>'],
  ['a closing tag', '</html>'],
  ['an empty text', ''],
])('rejects %s', (_, text) => {
  expect(isHtmlPage(text)).toBe(false);
});
