// Finds features of an SVG that librsvg does not draw, or draws differently from browsers. Takes time in proportion to
// the text. JavaScript, since it runs without a compiler (decode-process.ts).
// @ts-check

/** SVGs inside SVGs: real ones have one level. */
const MAX_LEVELS = 4;
const TAG = /<([\w:.-]+)/y;
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
/** Attributes that are also CSS properties. */
const STYLING = new Set(
  `fill stroke color stop-color flood-color lighting-color filter mask clip-path marker marker-start marker-mid
  marker-end opacity x y x1 y1 x2 y2 cx cy r rx ry width height transform transform-origin font-size stroke-width
  stroke-dasharray stroke-dashoffset`.split(/\s+/),
);
/** Attributes that an animation changes to show or hide a part. */
const SHOWING =
  'opacity|fill-opacity|stroke-opacity|stop-opacity|visibility|display|href|xlink:href|width|height|r|rx|ry|d|points|' +
  'stroke-dashoffset|stroke-dasharray|stroke-width|clip-path|mask';
const SHOWING_ATTRIBUTE = new RegExp(`^(?:${SHOWING})$`);
const SHOWING_PROPERTY = new RegExp(`(?:^|[\\s;{])(?:${SHOWING})\\s*:|\\bscale\\w*\\(\\s*0`, 'i');
const FUNCTIONS =
  /\b((?:var|env|attr|calc|min|max|clamp|oklch|oklab|lab|lch|color|color-mix|light-dark|device-cmyk|image-set|circle|ellipse|inset|polygon|path|xywh|shape|(?:linear|radial|conic)-gradient))\(/i;
const RELATIVE_COLOR = /\b(?:rgba?|hsla?|hwb)\(\s*from\b/i;
const AT_RULE = /@(?:import|supports|layer|container|scope|namespace|starting-style)\b/i;
const SELECTOR = /:(?:is|where|has)\(/i;
const PROPERTY = /(?:^|[\s;{])(rotate|scale|translate|d|offset-path|mask-image)\s*:/i;
const UNIT = /[\d.](rem|vw|vh|vmin|vmax|q|lh)\b/i;
const BACKGROUND = /(?:^|[\s;{])background(?:-color|-image)?\s*:(?!\s*(?:none|transparent|inherit|initial|unset)\b)/i;
const SYSTEM_COLOR = /:\s*(?:canvas|canvastext|linktext|buttonface|buttontext|accentcolor|highlight)\b/i;
const PNG = '89504e47';
const JPEG = 'ffd8ff';

/**
 * Returns what is not supported as a noun, or undefined.
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
      if (element.name !== 'style' || svg[at] === '/') continue;
      const end = svg.indexOf('</', at);
      const inSheet = findInStyle(svg.slice(svg.indexOf('>', at) + 1, end === -1 ? svg.length : end), true);
      if (inSheet !== undefined) return inSheet;
      at = end === -1 ? svg.length : end + 2;
    }
  }
  return undefined;
}

const EXTERNAL = 'a reference to another file';

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
    attributes.set(key, (double ?? single ?? '').replace(/&(?:quot|apos|#3[49]);/g, '"'));
    end = ATTRIBUTE.lastIndex;
  }
}

/**
 * @param {Element} element
 * @param {boolean} isRoot
 * @param {number} level
 */
function findInElement({ name, attributes }, isRoot, level) {
  // Browsers and librsvg skip both kinds: neither has the extensions that editors name.
  if (name === 'foreignObject') return attributes.get('requiredExtensions') ? undefined : 'foreignObject';
  if (name === 'script' || attributes.has('onload')) return 'a script';
  if (name === 'textPath') return 'text on a path';
  if (/^(?:set|animate)$/.test(name) && SHOWING_ATTRIBUTE.test(attributes.get('attributeName') ?? ''))
    return 'an animation that shows or hides parts';
  const first = attributes.get('values') ?? attributes.get('from') ?? '';
  if (name === 'animateTransform' && attributes.get('type') === 'scale' && /^\s*0(?![.\d])/.test(first))
    return 'an animation that shows or hides parts';
  const href = (attributes.get('href') ?? attributes.get('xlink:href') ?? '').trim();
  if (href !== '' && !name.includes(':') && name !== 'a' && name !== 'font-face-uri') {
    const isImage = name === 'image' || name === 'feImage';
    const problem = isImage && href[0] !== '#' ? findInImage(href, level) : href[0] === '#' ? undefined : EXTERNAL;
    if (problem !== undefined) return problem;
  }
  // The size of the root is the size of the page.
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
    return isDeclared ? undefined : 'an embedded image of another type than it says';
  }
  if (type !== 'image/svg+xml') return 'an embedded image that is not PNG, JPEG or SVG';
  return level === MAX_LEVELS
    ? 'too many SVGs inside each other'
    : findUnsupported(bytes.toString('latin1'), level + 1);
}

/**
 * @param {string} text
 */
function unescaped(text) {
  return text.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * @param {string} text Declarations or a style sheet.
 * @param {boolean} hasPage True if a background in it is one of the page.
 * @returns {string | undefined}
 */
function findInStyle(text, hasPage) {
  const css = without(without(text, '/*', '*/'), '@font-face', '}');
  const name = FUNCTIONS.exec(css)?.[1] ?? PROPERTY.exec(css)?.[1] ?? UNIT.exec(css)?.[1];
  if (name !== undefined) return `CSS with ${name.toLowerCase()}`;
  if (RELATIVE_COLOR.test(css) || SYSTEM_COLOR.test(css)) return 'a color of CSS that is not supported';
  const rule = AT_RULE.exec(css)?.[0] ?? SELECTOR.exec(css)?.[0];
  if (rule !== undefined) return `CSS with ${rule.toLowerCase()}`;
  for (const [, condition = ''] of css.matchAll(/@media\b([^{]*)/gi))
    if (!/prefers-|print/i.test(condition)) return 'CSS with @media';
  if (hasPage && BACKGROUND.test(css)) return 'a CSS background';
  const isAnimated = /@keyframes/i.test(css);
  if (isAnimated && SHOWING_PROPERTY.test(css)) return 'an animation that shows or hides parts';
  if (!isAnimated && /transform-origin\s*:/i.test(css) && /transform\s*:/i.test(css))
    return 'CSS with transform-origin';
  for (const [, first] of css.matchAll(/\burl\(\s*["']?\s*(.?)/gi)) if (first !== '#') return EXTERNAL;
  return undefined;
}

/**
 * Removes each part from one mark to another.
 * @param {string} text
 * @param {string} begin
 * @param {string} end
 */
function without(text, begin, end) {
  const parts = [];
  let at = 0;
  for (let from = text.indexOf(begin); from !== -1; from = text.indexOf(begin, at)) {
    parts.push(text.slice(at, from));
    at = after(text, end, from + begin.length);
  }
  return parts.join(' ') + text.slice(at);
}

/**
 * @param {string} text
 * @param {string} mark
 * @param {number} at
 */
function after(text, mark, at) {
  const found = text.indexOf(mark, at);
  return found === -1 ? text.length : found + mark.length;
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
