// Finds characters of an SVG that would be drawn as boxes: no installed font has an outline for them. Reads the fonts
// in the folders of a fontconfig configuration. It is JavaScript, since it runs without a compiler (decode-process.ts).
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Characters that are not drawn, whether a font has them or not. */
const INVISIBLE =
  /^(?:[\t\n\r\p{Z}]|(?![\u115f\u1160\u3164\uffa0\u{1bca0}-\u{1bca3}])\p{Default_Ignorable_Code_Point})$/u;
/** Characters that form one emoji together with their neighbours. Only fonts with colors have glyphs for these. */
const SEQUENCE =
  /\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u{e0020}-\u{e007f}]|\p{Extended_Pictographic}\ufe0f?\u200d/u;
const OUTLINE_TABLES = new Set(['glyf', 'CFF ', 'CFF2']);
/** Fonts of bitmaps may have a table of outlines too, with an empty glyph. */
const MIN_OUTLINE_BYTES = 1_000;
const COLOR_TABLES = new Set(['CBDT', 'COLR', 'SVG ', 'sbix']);
/** The first bytes of font files that pango draws. */
const FONTS = new Set(['\0\u0001\0\0', 'true', 'OTTO']);
const COLLECTION = 'ttcf';
/** The folder that fontconfig reads by default on Windows, where no configuration is set. */
const WINDOWS_FONTS = 'C:/Windows/Fonts';
const CODE_POINTS = 0x110000;

/** @type {Map<string, Uint8Array>} */
const glyphsOf = new Map();

/**
 * Returns the first character or sequence that cannot be drawn, like `U+1F9FF`; undefined if all can be drawn.
 * @param {string} text
 * @param {string} config The path of the fontconfig configuration. Its fonts are read once per process.
 */
export function findUndrawable(text, config) {
  const sequence = SEQUENCE.exec(text)?.[0];
  if (sequence !== undefined) return nameOf(sequence);
  const visible = [...new Set(text)].filter((character) => !INVISIBLE.test(character));
  if (visible.length === 0) return undefined;
  const glyphs = glyphsOf.get(config) ?? readGlyphs(config);
  glyphsOf.set(config, glyphs);
  const missing = visible.find((character) => glyphs[Number(character.codePointAt(0))] !== 1);
  return missing === undefined ? undefined : nameOf(missing);
}

/** @param {string} text */
function nameOf(text) {
  const codes = Array.from(text, (character) => character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0'));
  return codes.map((code) => `U+${code}`).join(' ');
}

/**
 * Returns 1 for each code point with an outline in a font.
 * @param {string} config
 */
function readGlyphs(config) {
  const glyphs = new Uint8Array(CODE_POINTS);
  /** @type {Set<string>} */
  const read = new Set();
  const folders = readFileSync(config, 'utf8').match(/(?<=<dir>)[^<]*/g) ?? [];
  for (const folder of [...folders, WINDOWS_FONTS]) readPath(folder, glyphs, read);
  return glyphs;
}

/**
 * Reads a font, or all fonts in a folder. Ignores files that cannot be read as fonts, as fontconfig does.
 * @param {string} path
 * @param {Uint8Array} glyphs
 * @param {Set<string>} read The paths that were read, since links may form circles.
 */
function readPath(path, glyphs, read) {
  try {
    const realPath = realpathSync(path);
    if (read.has(realPath) || /[\\/]LastResort[^\\/]*$/.test(path)) return;
    read.add(realPath);
    const stats = statSync(path);
    if (stats.isDirectory()) for (const name of readdirSync(path)) readPath(join(path, name), glyphs, read);
    else if (stats.isFile()) readFile(path, glyphs);
  } catch {}
}

/**
 * @param {string} path
 * @param {Uint8Array} glyphs
 */
function readFile(path, glyphs) {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    /** @type {(start: number, length: number) => Buffer} */
    const bytesAt = (start, length) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
    };
    const head = bytesAt(0, 12);
    if (head.toString('latin1', 0, 4) !== COLLECTION) return readFont(bytesAt, 0, glyphs);
    const offsets = bytesAt(12, 4 * head.readUInt32BE(8));
    for (let at = 0; at < offsets.length; at += 4) readFont(bytesAt, offsets.readUInt32BE(at), glyphs);
  } finally {
    closeSync(file);
  }
}

/**
 * @param {(start: number, length: number) => Buffer} bytesAt
 * @param {number} start
 * @param {Uint8Array} glyphs
 */
function readFont(bytesAt, start, glyphs) {
  const head = bytesAt(start, 12);
  if (!FONTS.has(head.toString('latin1', 0, 4))) return;
  const directory = bytesAt(start + 12, 16 * head.readUInt16BE(4));
  /** @type {Buffer | undefined} */
  let cmap;
  let hasOutlines = false;
  for (let at = 0; at < directory.length; at += 16) {
    const tag = directory.toString('latin1', at, at + 4);
    if (COLOR_TABLES.has(tag)) return;
    const [start, length] = [directory.readUInt32BE(at + 8), directory.readUInt32BE(at + 12)];
    hasOutlines ||= OUTLINE_TABLES.has(tag) && length >= MIN_OUTLINE_BYTES;
    if (tag === 'cmap') cmap = bytesAt(start, length);
  }
  for (let at = 4; hasOutlines && cmap !== undefined && at < 4 + 8 * cmap.readUInt16BE(2); at += 8) {
    const [platform, encoding] = [cmap.readUInt16BE(at), cmap.readUInt16BE(at + 2)];
    const table = cmap.subarray(cmap.readUInt32BE(at + 4));
    // Other platforms and encodings do not contain Unicode.
    if (platform !== 0 && (platform !== 3 || (encoding !== 1 && encoding !== 10))) continue;
    if (table.readUInt16BE(0) === 4) readSegments(table, glyphs);
    if (table.readUInt16BE(0) === 12) readGroups(table, glyphs);
  }
}

/**
 * Reads a table of format 4: code points of 16 bits, in segments with a delta or a list of glyphs.
 * @param {Buffer} table
 * @param {Uint8Array} glyphs
 */
function readSegments(table, glyphs) {
  const size = table.readUInt16BE(6);
  for (let at = 14; at < 14 + size; at += 2) {
    const [end, start] = [table.readUInt16BE(at), table.readUInt16BE(at + 2 + size)];
    const [delta, offset] = [table.readUInt16BE(at + 2 + 2 * size), table.readUInt16BE(at + 2 + 3 * size)];
    for (let code = start; code <= end; code++) {
      const listed = at + 2 + 3 * size + offset + 2 * (code - start);
      const glyph = offset === 0 ? (code + delta) % 65_536 : listed + 1 < table.length ? table.readUInt16BE(listed) : 0;
      if (glyph !== 0) glyphs[code] = 1;
    }
  }
}

/**
 * Reads a table of format 12: groups of code points with consecutive glyphs.
 * @param {Buffer} table
 * @param {Uint8Array} glyphs
 */
function readGroups(table, glyphs) {
  const end = 16 + 12 * table.readUInt32BE(12);
  for (let at = 16; at < end; at += 12) {
    const [first, last, glyph] = [table.readUInt32BE(at), table.readUInt32BE(at + 4), table.readUInt32BE(at + 8)];
    glyphs.fill(1, glyph === 0 ? first + 1 : first, last + 1);
  }
}
