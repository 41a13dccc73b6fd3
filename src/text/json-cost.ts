// Estimates the memory needed to parse a JSON or JSON5 text, without parsing it. The number of values decides, since
// even the shortest value takes memory.

interface JsonCost {
  /**
   * Upper bound of the number of values: the number of opening brackets and commas. The real number is at least half of
   * it.
   */
  readonly values: number;
  /** Maximum nesting of objects and lists. */
  readonly depth: number;
  /** True if as many brackets are closed as opened; otherwise the text is not valid JSON. */
  readonly isBalanced: boolean;
}

/** Measures a text in one pass, without allocating memory. The result for invalid text is arbitrary. */
export function measureJson(text: string): JsonCost {
  let values = 1;
  let depth = 0;
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
      case "'":
        at = endOfText(text, at);
        break;
      case '/':
        at = endOfComment(text, at);
        break;
      case '[':
      case '{':
        values++;
        open++;
        if (open > depth) depth = open;
        break;
      case ']':
      case '}':
        open--;
        break;
      case ',':
        values++;
        break;
    }
  }
  return { values, depth, isBalanced: open === 0 };
}

function endOfText(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at++) {
    if (text[at] === text[begin]) return at;
    if (text[at] === '\\') at++;
  }
  return text.length;
}

/**
 * Returns the offset of the end of a comment that begins at a slash, or of the slash if it does not begin a comment.
 */
function endOfComment(text: string, begin: number): number {
  const end = { '//': '\n', '/*': '*/' }[text.slice(begin, begin + 2)];
  if (end === undefined) return begin;
  const at = text.indexOf(end, begin + 2);
  return at === -1 ? text.length : at + end.length - 1;
}
