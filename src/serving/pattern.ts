// Matches whole texts against the patterns of the rules, which are sources of regular expressions without anchors.

const compiled = new Map<string, RegExp>();

/** The match of a whole text, or null. */
export function matchWhole(text: string, pattern: string): RegExpExecArray | null {
  const regex = compiled.get(pattern) ?? new RegExp(`^(?:${pattern})$`);
  compiled.set(pattern, regex);
  return regex.exec(text);
}

export function hasForm(text: string, pattern: string): boolean {
  return matchWhole(text, pattern) !== null;
}
