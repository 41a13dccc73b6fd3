// Escapes characters of untrusted text that are invisible, change the text direction, or forge lines on a terminal.

/** Matches control and format characters, except the joiners that scripts and emoji need. */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Escapes each unsafe character as in JSON, for example as `\u009b`, so that a line of JSON keeps its meaning. */
export function escapeControls(line: string): string {
  return line.replace(UNSAFE, (character) => {
    const first = escapeUnit(character.charCodeAt(0));
    return character.length === 1 ? first : first + escapeUnit(character.charCodeAt(1));
  });
}

/**
 * Escapes only characters that change the direction of text, for example as `\u202e`. Hidden, they would draw the
 * letters of a name in another order.
 */
export function escapeDirections(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, (control) => escapeUnit(control.charCodeAt(0)));
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
