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
const ENTITY = /&(?:#(?:x0*([\da-f]{1,6})|0*(\d{1,7}))|(quot|apos|amp|lt|gt));/gi;
const ENTITIES = new Map(Object.entries({ quot: '"', apos: '"', amp: '&', lt: '<', gt: '>' }));
/** The ends of comments and instructions, by their beginnings. */
const CLOSING = new Map([
  ['<!--', '-->'],
  ['<?', '?>'],
]);
const PNG = '89504e47';
const JPEG = 'ffd8ff';

/**
 * Decodes an SVG, in one of the encodings that libxml2 reads.
 * @param {Uint8Array} bytes
 */
export function decodeSvg(bytes) {
  const start = Buffer.from(bytes.subarray(0, 1_000)).toString('latin1');
  const isWestern = /^[^<]*<\?xml[^>]*encoding\s*=\s*["'](?:iso-8859-1|windows-1252|latin1)["']/i.test(start);
  return new TextDecoder(isWestern ? 'windows-1252' : undefined).decode(bytes);
}

/**
 * Returns the first unsupported feature, as a noun for a message; undefined if all features are supported.
 * @param {string} svg
 * @param {string[]} [texts] Receives the texts that are drawn, with unresolved entities, and the entities themselves.
 * @param {number} [level]
 * @returns {string | undefined}
 */
export function findUnsupported(svg, texts = [], level = 0) {
  // XML excludes NUL. libxml2 reads UTF-16 too, in an SVG inside another.
  if (svg.includes('\0')) return 'an SVG in UTF-16';
  let isRoot = true;
  let types = '';
  let sheet = '';
  /**
   * The kinds of character data in the open elements. Other kinds than these are not drawn.
   * @type {('text' | 'style' | undefined)[]}
   */
  const kinds = [];
  /** @param {string} data */
  const add = (data) => {
    if (kinds.at(-1) === 'text') texts.push(data);
    if (kinds.at(-1) === 'style') sheet += data;
  };
  let end = 0;
  for (let at = svg.indexOf('<'); at !== -1; at = svg.indexOf('<', end)) {
    add(svg.slice(end, at));
    if (svg.startsWith('<!--', at)) end = after(svg, '-->', at + 4);
    else if (svg.startsWith('<![CDATA[', at)) {
      end = after(svg, ']]>', at);
      add(svg.slice(at + 9, end - 3));
    } else if (svg.startsWith('<?', at)) {
      if (svg.startsWith('<?xml-stylesheet', at)) return 'an external style sheet';
      end = after(svg, '?>', at);
    } else if (svg.startsWith('<!', at)) {
      end = endOfType(svg, at);
      const type = svg.slice(at, end);
      if (type.includes('<!ENTITY') && /["'][^"'<>]*<(?!!)/.test(type)) return 'markup in an entity';
      const problem = findInStyle(type.replaceAll('<!', ';'), false);
      if (problem !== undefined && problem !== EXTERNAL) return problem;
      types += type;
    } else if (svg.startsWith('</', at)) {
      end = after(svg, '>', at);
      if (kinds.pop() !== 'style') continue;
      const problem = findInStyle(withoutEntities(sheet), true);
      if (problem !== undefined) return problem;
      sheet = '';
    } else {
      const element = readElement(svg, at);
      end = element?.end ?? at + 1;
      if (element === undefined) continue;
      const problem = findInElement(element, isRoot, texts, level);
      isRoot = false;
      if (problem !== undefined) return problem;
      end = after(svg, '>', end);
      if (svg[end - 2] !== '/') kinds.push(kindOf(localName(element.name), kinds.at(-1)));
    }
  }
  if (texts.length > 0 && types.includes('<!ENTITY')) texts.push(types);
  return undefined;
}

/**
 * Returns all characters that the texts may contain. The value of an entity is unescaped twice.
 * @param {readonly string[]} texts
 */
export function unescapeTexts(texts) {
  const once = withoutEntities(texts.join(' '));
  return once + withoutEntities(once);
}

/**
 * @param {string} name
 * @param {'text' | 'style' | undefined} outer
 */
function kindOf(name, outer) {
  if (name === 'text' || name === 'style') return name;
  return outer === 'text' && name !== 'title' && name !== 'desc' ? outer : undefined;
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
 * @param {string[]} texts
 * @param {number} level
 */
function findInElement({ name: fullName, attributes }, isRoot, texts, level) {
  const name = localName(fullName);
  // Browsers and librsvg skip an element that requires the extension of an editor.
  if (name === 'foreignObject') return attributes.get('requiredExtensions') ? undefined : 'foreignObject';
  if (name === 'script' || attributes.has('onload')) return 'a script';
  if (name === 'textPath') return 'text on a path';
  // Browsers draw neither.
  if (name === 'tref' || name === 'include') return 'text from another place';
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
    const problem =
      isImage && href[0] !== '#' ? findInImage(href, texts, level) : href[0] === '#' ? undefined : EXTERNAL;
    if (problem !== undefined) return problem;
  }
  // Ignores the width and height of the root element, which are the size of the page.
  const styling = [...attributes].filter(([key]) => STYLING.has(key) && !(isRoot && /^(?:width|height)$/.test(key)));
  const css = styling.map(([key, value]) => `${key}:${value}`).join(';');
  return findInStyle(`${css};${attributes.get('style') ?? ''}`, isRoot);
}

/**
 * @param {string} uri
 * @param {string[]} texts
 * @param {number} level
 */
function findInImage(uri, texts, level) {
  const comma = uri.indexOf(',');
  if (!/^data:/i.test(uri) || comma === -1) return EXTERNAL;
  const head = uri.slice(5, comma).toLowerCase();
  const text = uri.slice(comma + 1);
  const bytes = /;\s*base64\s*$/.test(head)
    ? Buffer.from(text.replace(/&#?\w{1,8};/g, ''), 'base64')
    : Buffer.from(unescaped(Buffer.from(text).toString('latin1')), 'latin1');
  const type = head.split(';')[0]?.trim() ?? '';
  const start = bytes.toString('hex', 0, 4);
  const isJpeg = start.startsWith(JPEG);
  if (type !== 'image/svg+xml' && (start === PNG || isJpeg)) {
    const isDeclared = isJpeg ? type !== 'image/png' : !/^image\/jpe?g$/.test(type);
    return isDeclared ? undefined : 'an embedded image whose type differs from its declaration';
  }
  if (type !== 'image/svg+xml') return 'an embedded image that is not PNG, JPEG or SVG';
  return level === MAX_LEVELS ? 'too many nested SVGs' : findUnsupported(decodeSvg(bytes), texts, level + 1);
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
  return text.replace(ENTITY, (_, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? '';
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0x10ffff ? '' : String.fromCodePoint(code);
  });
}

/**
 * Returns the end of a document type. Its quotes, comments and instructions may contain the marks that end it.
 * @param {string} svg
 * @param {number} at
 */
function endOfType(svg, at) {
  const mark = /["'[\]>]|<!--|<\?/g;
  mark.lastIndex = at;
  let isInSubset = false;
  for (let found = mark.exec(svg)?.[0]; found !== undefined; found = mark.exec(svg)?.[0]) {
    if (found === '>' && !isInSubset) return mark.lastIndex;
    if (found === '[' || found === ']') isInSubset = found === '[';
    else if (found !== '>') mark.lastIndex = after(svg, CLOSING.get(found) ?? found, mark.lastIndex);
  }
  return svg.length;
}
