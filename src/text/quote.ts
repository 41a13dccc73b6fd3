// Quotes untrusted texts in messages.
import { escapeControls } from './escape-controls.ts';

const MAX_QUOTE_LENGTH = 80;

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
