// Finds features of an SVG that librsvg does not draw, or draws differently from browsers. Takes time linear in the
// text. It is JavaScript, since it runs without a compiler (decode-process.ts).
import { after, EXTERNAL, findInStyle, SHOWING } from './unsupported-css.js';

/** The maximum depth of SVGs inside SVGs. Real images have one level. */
const MAX_LEVELS = 4;
const TAG = /<([\w:.-]+)/y;
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
/** Attributes that are also CSS properties. */
const STYLING = new Set(
  `fill stroke color stop-color flood-color lighting-color filter mask clip-path marker marker-start marker-mid
  marker-end opacity x y x1 y1 x2 y2 cx cy r rx ry width height transform transform-origin font-size stroke-width
  stroke-dasharray stroke-dashoffset`.split(/\s+/),
);
const SHOWING_ATTRIBUTE = new RegExp(`^(?:${SHOWING})$`);
const ENTITY = /&(?:#(?:x([\da-f]{1,6})|(\d{1,7}))|(quot|apos|amp|lt|gt));/gi;
const ENTITIES = new Map(Object.entries({ quot: '"', apos: '"', amp: '&', lt: '<', gt: '>' }));
const PNG = '89504e47';
const JPEG = 'ffd8ff';

/**
 * Returns the first unsupported feature, as a noun for a message; undefined if all features are supported.
 * @param {string} svg
 * @param {number} [level]
 * @returns {string | undefined}
 */
export function findUnsupported(svg, level = 0) {
  let isRoot = true;
  for (let at = svg.indexOf('<'); at !== -1; at = svg.indexOf('<', at)) {
    if (svg.startsWith('<!--', at)) at = after(svg, '-->', at + 4);
    else if (svg.startsWith('<![CDATA[', at)) at = after(svg, ']]>', at);
    else if (svg.startsWith('<?', at)) {
      if (svg.startsWith('<?xml-stylesheet', at)) return 'an external style sheet';
      at = after(svg, '?>', at);
    } else if (svg.startsWith('<!', at)) {
      const end = endOfType(svg, at);
      const type = svg.slice(at, end);
      if (type.indexOf('<!ENTITY') !== -1 && /["'][^"'<>]*<(?!!)/.test(type)) return 'markup in an entity';
      const problem = findInStyle(type.replaceAll('<!', ';'), false);
      if (problem !== undefined && problem !== EXTERNAL) return problem;
      at = end;
    } else {
      const element = readElement(svg, at);
      at = element?.end ?? at + 1;
      if (element === undefined) continue;
      const problem = findInElement(element, isRoot, level);
      isRoot = false;
      if (problem !== undefined) return problem;
      if (localName(element.name) !== 'style' || svg[at] === '/') continue;
      const end = svg.indexOf('</', at);
      const sheet = svg.slice(svg.indexOf('>', at) + 1, end === -1 ? svg.length : end);
      const inSheet = findInStyle(withoutEntities(sheet), true);
      if (inSheet !== undefined) return inSheet;
      at = end === -1 ? svg.length : end + 2;
    }
  }
  return undefined;
}

/** @typedef {{ name: string, attributes: Map<string, string>, end: number }} Element */

/**
 * @param {string} svg
 * @param {number} at
 * @returns {Element | undefined}
 */
function readElement(svg, at) {
  TAG.lastIndex = at;
  const name = TAG.exec(svg)?.[1];
  if (name === undefined) return undefined;
  let end = TAG.lastIndex;
  /** @type {Map<string, string>} */
  const attributes = new Map();
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const [, key, double, single] = ATTRIBUTE.exec(svg) ?? [];
    if (key === undefined) return { name, attributes, end };
    attributes.set(key, withoutEntities(double ?? single ?? ''));
    end = ATTRIBUTE.lastIndex;
  }
}

/**
 * @param {Element} element
 * @param {boolean} isRoot
 * @param {number} level
 */
function findInElement({ name: fullName, attributes }, isRoot, level) {
  const name = localName(fullName);
  // Browsers and librsvg skip an element that requires the extension of an editor.
  if (name === 'foreignObject') return attributes.get('requiredExtensions') ? undefined : 'foreignObject';
  if (name === 'script' || attributes.has('onload')) return 'a script';
  if (name === 'textPath') return 'text on a path';
  const [type = '', media = ''] = [attributes.get('type'), attributes.get('media')];
  if (name === 'style' && (!/^(?:text\/css)?$/i.test(type) || !/^(?:all|screen)?$/i.test(media)))
    return 'a style sheet of another type or medium';
  if (/^(?:set|animate)$/.test(name) && SHOWING_ATTRIBUTE.test(attributes.get('attributeName') ?? ''))
    return 'an animation that shows or hides parts';
  const first = attributes.get('values') ?? attributes.get('from') ?? '';
  if (name === 'animateTransform' && attributes.get('type') === 'scale' && /^\s*0(?![.\d])/.test(first))
    return 'an animation that shows or hides parts';
  const href = (attributes.get('href') ?? attributes.get('xlink:href') ?? '').trim();
  const isLink = fullName === name ? name !== 'a' && name !== 'font-face-uri' : /^(?:image|feImage|use)$/.test(name);
  if (href !== '' && isLink) {
    const isImage = name === 'image' || name === 'feImage';
    const problem = isImage && href[0] !== '#' ? findInImage(href, level) : href[0] === '#' ? undefined : EXTERNAL;
    if (problem !== undefined) return problem;
  }
  // Ignores the width and height of the root element, which are the size of the page.
  const styling = [...attributes].filter(([key]) => STYLING.has(key) && !(isRoot && /^(?:width|height)$/.test(key)));
  const css = styling.map(([key, value]) => `${key}:${value}`).join(';');
  return findInStyle(`${css};${attributes.get('style') ?? ''}`, isRoot);
}

/**
 * @param {string} uri
 * @param {number} level
 */
function findInImage(uri, level) {
  const comma = uri.indexOf(',');
  if (!/^data:/i.test(uri) || comma === -1) return EXTERNAL;
  const head = uri.slice(5, comma).toLowerCase();
  const text = uri.slice(comma + 1).replace(/&#?\w{1,8};/g, '');
  const bytes = /;\s*base64\s*$/.test(head) ? Buffer.from(text, 'base64') : Buffer.from(unescaped(text), 'latin1');
  const type = head.split(';')[0]?.trim() ?? '';
  const start = bytes.toString('hex', 0, 4);
  const isJpeg = start.startsWith(JPEG);
  if (type !== 'image/svg+xml' && (start === PNG || isJpeg)) {
    const isDeclared = isJpeg ? type !== 'image/png' : !/^image\/jpe?g$/.test(type);
    return isDeclared ? undefined : 'an embedded image whose type differs from its declaration';
  }
  if (type !== 'image/svg+xml') return 'an embedded image that is not PNG, JPEG or SVG';
  return level === MAX_LEVELS ? 'too many nested SVGs' : findUnsupported(bytes.toString('latin1'), level + 1);
}

/**
 * @param {string} text
 */
function unescaped(text) {
  return text.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** @param {string} name */
function localName(name) {
  return name.slice(name.lastIndexOf(':') + 1);
}

/** @param {string} text */
function withoutEntities(text) {
  return text.replace(ENTITY, (_, hex, decimal, name) =>
    name === undefined
      ? String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
      : (ENTITIES.get(name.toLowerCase()) ?? ''),
  );
}

/**
 * @param {string} svg
 * @param {number} at
 */
function endOfType(svg, at) {
  const close = after(svg, '>', at);
  const subset = svg.slice(at, close).includes('[');
  return subset ? after(svg, '>', after(svg, ']', at)) : close;
}
