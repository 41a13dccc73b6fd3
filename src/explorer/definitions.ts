// Finds what a source defines and which traits it names: each with its form, its name and its line.
import { clarityTokens } from './clarity-tokens.ts';

export interface Definition {
  /** `define-map`, or `impl-trait`. */
  readonly form: string;
  /** The name that it defines; of a trait that is used or implemented, where that is. */
  readonly name: string;
  readonly line: number;
}

const FORM = /^(?:define-[a-z-]+|impl-trait|use-trait)$/;

/** In the order of the source. What is in a comment or a text is no definition. */
export function findDefinitions(source: string): Definition[] {
  const definitions: Definition[] = [];
  let line = 1;
  let open: { readonly form: string; readonly line: number } | undefined;
  for (const { kind, text } of clarityTokens(source)) {
    const isName = kind === 'name' || kind === 'keyword' || kind === 'principal';
    if (isName && open === undefined) open = FORM.test(text) ? { form: text, line } : undefined;
    else if (isName && open !== undefined && (open.form !== 'use-trait' || kind === 'principal')) {
      definitions.push({ ...open, name: text });
      open = undefined;
    }
    line += text.split('\n').length - 1;
  }
  return definitions;
}
