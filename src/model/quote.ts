// Quotes a text from a stranger, which may be long: enough of it to recognise it.

const MAX_LENGTH = 80;

export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
}
