// Escapes characters of foreign text that could forge a line or a text on a terminal, or change its direction.

const FORGING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Writes each as JSON does, `\u009b`: JSON on one line stays the same JSON. */
export function escapeControls(line: string): string {
  return line.replace(FORGING, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
