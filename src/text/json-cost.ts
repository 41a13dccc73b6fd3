// Estimates the cost of parsing a JSON or JSON5 text without parsing it: a value takes memory, however short it is.

interface JsonCost {
  /** Upper bound of the number of values: each bracket and each comma counts as one. At most twice the real number. */
  readonly values: number;
  /** Maximum nesting of objects and lists. */
  readonly depth: number;
  /** True if as many brackets are closed as opened; otherwise the text is not a document. */
  readonly isBalanced: boolean;
}

const SLASH = 0x2f;
const STAR = 0x2a;
const LINE_FEED = 0x0a;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Takes one pass over the text, and no memory. The result for invalid text is arbitrary. */
export function measureJson(text: string): JsonCost {
  let values = 1;
  let depth = 0;
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
      case APOSTROPHE:
        at = endOfText(text, at);
        break;
      case SLASH:
        at = endOfComment(text, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        values++;
        open++;
        if (open > depth) depth = open;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        open--;
        break;
      case COMMA:
        values++;
        break;
    }
  }
  return { values, depth, isBalanced: open === 0 };
}

/** Offset of the closing quotation mark of the text that begins here. */
function endOfText(text: string, begin: number): number {
  const mark = text.charCodeAt(begin);
  for (let at = begin + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === mark) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}

/** Offset of the end of a comment that begins at a slash; the slash itself if there is none. */
function endOfComment(text: string, begin: number): number {
  const second = text.charCodeAt(begin + 1);
  if (second !== SLASH && second !== STAR) return begin;
  for (let at = begin + 2; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (second === SLASH ? code === LINE_FEED : code === STAR && text.charCodeAt(at + 1) === SLASH) {
      return second === SLASH ? at : at + 1;
    }
  }
  return text.length;
}
