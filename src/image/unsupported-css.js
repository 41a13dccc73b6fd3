// Finds CSS features in an SVG that librsvg does not draw, or draws differently from browsers. Takes time linear in the
// text. It is JavaScript, since it runs without a compiler (decode-process.ts).

/** Attributes that animations use to show or hide parts. */
export const SHOWING =
  'opacity|fill-opacity|stroke-opacity|stop-opacity|visibility|display|href|xlink:href|width|height|r|rx|ry|d|points|' +
  'stroke-dashoffset|stroke-dasharray|stroke-width|clip-path|mask';
const SHOWING_PROPERTY = new RegExp(`(?:^|[\\s;{])(?:${SHOWING})\\s*:|\\bscale\\w*\\(\\s*0`, 'i');
const FUNCTIONS =
  /\b((?:var|env|attr|calc|min|max|clamp|oklch|oklab|lab|lch|color|color-mix|light-dark|device-cmyk|image-set|circle|ellipse|inset|polygon|path|xywh|shape|(?:linear|radial|conic)-gradient|rotate(?:x|y|z|3d)|matrix3d))\(/i;
const RELATIVE_COLOR = /\b(?:rgba?|hsla?|hwb)\(\s*from\b/i;
const AT_RULE = /@(?:import|supports|layer|container|scope|namespace|starting-style)\b/i;
const SELECTOR = /:(?:is|where|has)\(/i;
const PROPERTY = /(?:^|[\s;{])(rotate|scale|translate|d|offset-path|mask-image|transform-box)\s*:/i;
const UNIT = /[\d.](rem|vw|vh|vmin|vmax|q|lh)\b/i;
const BACKGROUND = /(?:^|[\s;{])background(?:-color|-image)?\s*:(?!\s*(?:none|transparent|inherit|initial|unset)\b)/i;
const SYSTEM_COLOR = /:\s*(?:canvas|canvastext|linktext|buttonface|buttontext|accentcolor|highlight)\b/i;
/**
 * Matches conditions of `@media` rules that screens do not meet by default. Browsers ignore the rules with these
 * conditions, and librsvg ignores all `@media` rules.
 */
const UNMET_MEDIA =
  /^\s*(?:print|(?:screen\s+and\s+)?\(\s*prefers-(?:color-scheme\s*:\s*dark|reduced-motion\s*:\s*reduce)\s*\))\s*$/i;
const ESCAPE = /\\[0-9a-z]/i;

export const EXTERNAL = 'a reference to another file';

/**
 * @param {string} text Declarations or a style sheet.
 * @param {boolean} hasPage True if a background in the text applies to the page.
 * @returns {string | undefined}
 */
export function findInStyle(text, hasPage) {
  const css = without(without(text, '/*', '*/'), '@font-face', '}');
  const name = FUNCTIONS.exec(css)?.[1] ?? PROPERTY.exec(css)?.[1] ?? UNIT.exec(css)?.[1];
  if (name !== undefined) return `CSS with ${name.toLowerCase()}`;
  if (RELATIVE_COLOR.test(css) || SYSTEM_COLOR.test(css)) return 'an unsupported CSS color';
  const rule = AT_RULE.exec(css)?.[0] ?? SELECTOR.exec(css)?.[0];
  if (rule !== undefined) return `CSS with ${rule.toLowerCase()}`;
  for (const [, condition = ''] of css.matchAll(/@media\b([^{]*)/gi))
    if (!UNMET_MEDIA.test(condition)) return 'CSS with @media';
  if (ESCAPE.test(css)) return 'CSS with escapes';
  if (hasNestedRule(css)) return 'CSS with nested rules';
  if (hasPage && BACKGROUND.test(css)) return 'a CSS background';
  const isAnimated = /@keyframes/i.test(css);
  if (isAnimated && SHOWING_PROPERTY.test(css)) return 'an animation that shows or hides parts';
  if (!isAnimated && /transform-origin\s*:/i.test(css) && /transform\s*:/i.test(css))
    return 'CSS with transform-origin';
  for (const [, first] of css.matchAll(/\burl\(\s*["']?\s*(.?)/gi)) if (first !== '#') return EXTERNAL;
  return undefined;
}

/**
 * True if a style rule contains another rule. At-rules may contain rules.
 * @param {string} css
 */
function hasNestedRule(css) {
  /** @type {boolean[]} */
  const areStyleRules = [];
  let start = 0;
  for (const { 0: mark, index } of css.matchAll(/[{};]/g)) {
    if (mark === '{') {
      if (areStyleRules.at(-1)) return true;
      areStyleRules.push(!css.slice(start, index).trimStart().startsWith('@'));
    } else if (mark === '}') areStyleRules.pop();
    start = index + 1;
  }
  return false;
}

/**
 * Removes each part of a text between the marks `begin` and `end`, together with the marks.
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
export function after(text, mark, at) {
  const found = text.indexOf(mark, at);
  return found === -1 ? text.length : found + mark.length;
}
