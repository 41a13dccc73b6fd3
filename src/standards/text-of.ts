// Reads the text of a Clarity string: undefined for a value of another type, and for none.
import type { ClarityValue } from '#clarity/decode-value.ts';

export function textOf(value: ClarityValue | undefined): string | undefined {
  return value?.type === 'string-ascii' || value?.type === 'string-utf8' ? value.value : undefined;
}
