// Matches texts against the patterns of rules. A pattern is the source of a regular expression without anchors, and
// must match the entire text.

const compiled = new Map<string, RegExp>();

/** Returns the match of the entire text; null if it does not match. */
export function matchEntire(text: string, pattern: string): RegExpExecArray | null {
  let regex = compiled.get(pattern);
  if (regex === undefined) {
    regex = new RegExp(`^(?:${pattern})$`);
    compiled.set(pattern, regex);
  }
  return regex.exec(text);
}

export function hasForm(text: string, pattern: string): boolean {
  return matchEntire(text, pattern) !== null;
}
