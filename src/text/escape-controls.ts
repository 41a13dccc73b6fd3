// Escapes what could forge a line or a text on a terminal, in text that may quote strangers: controls, which move the
// cursor or begin a line, other line separators, and marks that turn the direction of text around.

const FORGING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Each as JSON writes it, `\u009b`: JSON on one line stays the same JSON. */
export function escapeControls(line: string): string {
  return line.replace(FORGING, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
