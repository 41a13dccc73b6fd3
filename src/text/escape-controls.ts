// Escapes characters of foreign text that could forge a line or a text on a terminal, change its direction or hide.

/** All format characters except the joiners, which scripts and emoji need. */
const FORGING = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Writes each as JSON does, `\u009b`: JSON on one line stays the same JSON. */
export function escapeControls(line: string): string {
  return line.replace(FORGING, (character) => {
    const first = escapeUnit(character.charCodeAt(0));
    return character.length === 1 ? first : first + escapeUnit(character.charCodeAt(1));
  });
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
