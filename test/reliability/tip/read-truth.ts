// Converts the result of a getter to the expected value: a text, none or an error.
import type { ClarityValue } from '@stacks/transactions';

export type Truth = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'none' | 'error' | 'refused' };

export function truthOf(result: ClarityValue): Truth {
  if (result.type === 'err') return { kind: 'error' };
  const inner = result.type === 'ok' ? result.value : result;
  const value = inner.type === 'some' ? inner.value : inner;
  if (value.type === 'none') return { kind: 'none' };
  if (value.type === 'ascii' || value.type === 'utf8' || value.type === 'uint')
    return { kind: 'text', text: String(value.value) };
  return { kind: 'error' };
}
