// Escapes characters of foreign text that could forge a line or a text on a terminal, change its direction or hide.

/** All format characters except the joiners, which scripts and emoji need. */
const FORGING = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Writes each as JSON does, `\u009b`: JSON on one line stays the same JSON. */
export function escapeControls(line: string): string {
  return line.replace(FORGING, (character) => character.split('').map(escapeUnit).join(''));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
