// Finds parts of an SVG that librsvg does not draw at all, and the texts that it draws. Takes time linear in the text. It
// is JavaScript, since it runs without a compiler (decode-process.ts).

/** The maximum depth of SVGs inside SVGs. Real images have one level. */
const MAX_LEVELS = 4;
const TAG = /<([\w:.-]+)/y;
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
/** Elements that librsvg ignores, with their content. */
const IGNORED = new Map([
  ['foreignObject', 'foreignObject'],
  ['textPath', 'text on a path'],
]);
const ENTITY = /&(?:#(?:x0*([\da-f]{1,6})|0*(\d{1,7}))|(quot|apos|amp|lt|gt));/gi;
const ENTITIES = new Map(Object.entries({ quot: '"', apos: '"', amp: '&', lt: '<', gt: '>' }));
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
 * Returns the first part that is not drawn, as a noun for a message; undefined if all parts are drawn.
 * @param {string} svg
 * @param {string[]} [texts] Receives the texts that are drawn, with unresolved entities, and the entities themselves.
 * @param {number} [level]
 * @returns {string | undefined}
 */
export function findUnsupported(svg, texts = [], level = 0) {
  // XML excludes NUL. libxml2 reads UTF-16 too, in an SVG inside another.
  if (svg.includes('\0')) return 'an SVG in UTF-16';
  /**
   * Whether text in each of the open elements is drawn.
   * @type {boolean[]}
   */
  const areDrawn = [];
  /** @param {string} data */
  const add = (data) => {
    if (areDrawn.at(-1)) texts.push(data);
  };
  let end = 0;
  for (let at = svg.indexOf('<'); at !== -1; at = svg.indexOf('<', end)) {
    add(svg.slice(end, at));
    if (svg.startsWith('<!--', at)) end = after(svg, '-->', at + 4);
    else if (svg.startsWith('<![CDATA[', at)) {
      end = after(svg, ']]>', at);
      add(svg.slice(at + 9, end - 3));
    } else if (svg.startsWith('<?', at)) end = after(svg, '?>', at);
    else if (svg.startsWith('</', at)) {
      end = after(svg, '>', at);
      areDrawn.pop();
    } else {
      // Elements in the value of an entity are read as well.
      const element = readElement(svg, at);
      end = element?.end ?? at + 1;
      if (element === undefined) continue;
      const problem = findInElement(element, texts, level);
      if (problem !== undefined) return problem;
      end = after(svg, '>', end);
      if (svg[end - 2] !== '/') areDrawn.push(isDrawn(localName(element.name), areDrawn.at(-1) ?? false));
    }
  }
  if (texts.length > 0 && svg.includes('<!ENTITY')) texts.push(svg);
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
 * True if the text in an element with this name is drawn.
 * @param {string} name
 * @param {boolean} outer
 */
function isDrawn(name, outer) {
  return name === 'text' || (outer && !/^(?:title|desc|style)$/.test(name));
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
 * @param {string[]} texts
 * @param {number} level
 */
function findInElement({ name: fullName, attributes }, texts, level) {
  const name = localName(fullName);
  // Browsers and librsvg skip an element that requires the extension of an editor.
  if (IGNORED.has(name) && !attributes.get('requiredExtensions')) return IGNORED.get(name);
  if (!/^(?:image|feImage|use)$/.test(name)) return undefined;
  const href = (attributes.get('href') ?? attributes.get('xlink:href') ?? '').trim();
  return href === '' || href[0] === '#' ? undefined : findInImage(href, texts, level);
}

/**
 * @param {string} uri
 * @param {string[]} texts
 * @param {number} level
 */
function findInImage(uri, texts, level) {
  const comma = uri.indexOf(',');
  if (!/^data:/i.test(uri) || comma === -1) return 'a reference to another file';
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
 * Returns the end of a mark, or of the text if the mark is missing.
 * @param {string} text
 * @param {string} mark
 * @param {number} at
 */
function after(text, mark, at) {
  const found = text.indexOf(mark, at);
  return found === -1 ? text.length : found + mark.length;
}
