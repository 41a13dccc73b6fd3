// Escapes and quotes untrusted texts: characters that are invisible, change the text direction, or forge lines.

const MAX_QUOTE_LENGTH = 80;
/** Matches control and format characters, except the joiners that scripts and emoji need. */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Quotes the beginning of a text, enough to recognize it. */
export function quote(text: string): string {
  return escapeControls(JSON.stringify(shorten(text, MAX_QUOTE_LENGTH)));
}

export function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Shortens an untrusted message and puts it on one line. */
export function excerpt(text: string, maxLength: number): string {
  return escapeControls(text.trim().slice(0, maxLength).replaceAll(/\s+/g, ' '));
}

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
