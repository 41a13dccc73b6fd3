// Quotes texts from strangers in messages.
import { escapeControls } from './escape-controls.ts';

const MAX_QUOTE_LENGTH = 80;

/** Quotes enough of a possibly long text to recognize it. */
export function quote(text: string): string {
  return escapeControls(JSON.stringify(shorten(text, MAX_QUOTE_LENGTH)));
}

export function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Shortens a stranger's message and makes it fit into a sentence. */
export function retell(text: string, maxLength: number): string {
  return escapeControls(text.trim().slice(0, maxLength).replaceAll(/\s+/g, ' '));
}
