// Quotes texts from strangers in messages.
import { escapeControls } from './escape-controls.ts';

const MAX_QUOTE_LENGTH = 80;

/** As much of a text, which may be long, as it takes to recognise it. */
export function quote(text: string): string {
  const shown = text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text;
  return escapeControls(JSON.stringify(shown));
}

/** What a stranger says, cut short and fit to stand in a sentence. */
export function retell(text: string, maxLength: number): string {
  return escapeControls(text.trim().slice(0, maxLength).replaceAll(/\s+/g, ' '));
}
