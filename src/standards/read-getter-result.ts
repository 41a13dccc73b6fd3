// Converts what a token's getter returned, in the VM or at a node, into a value, `none` or a failure.
import { type ClarityValue, textOf } from '#clarity/decode-value.ts';
import { type FailureCode, failureSentence } from '#model/failure.ts';
import { exceededLength, type GetterResult, type TokenGetter } from '#model/token.ts';
import { formatCount } from '#text/format-count.ts';
import { excerpt, quote } from '#text/quote.ts';

/** The maximum length of a message of the VM, which may quote long types. */
const MAX_MESSAGE_LENGTH = 300;

/**
 * Unwraps `(ok …)` and `(some …)`. Returns a result without a value for `none`, and a failure for an error, a wrong
 * type or a text that is too long.
 */
export function readGetterResult(getter: TokenGetter, returned: ClarityValue): GetterResult {
  if (returned.type === 'err')
    return failedResult(getter, 'getter-error', `${getter} returned (err ${describe(returned.value)}).`);
  let value = returned.type === 'ok' ? returned.value : returned;
  if (value.type === 'some') value = value.value;
  if (value.type === 'none') return { getter };
  const text = shownValue(getter, value);
  if (text === undefined) {
    const found = value.type === 'uint' ? describe(value) : `a value of type ${value.type}`;
    return failedResult(getter, 'getter-wrong-type', `${getter} returned ${found}.`);
  }
  const maxLength = exceededLength(getter, text);
  if (maxLength === undefined) return { getter, value: text };
  const lengths = `${formatCount(text.length)} characters, more than ${formatCount(maxLength)}`;
  return failedResult(getter, 'value-too-long', `${getter} returned ${lengths}.`);
}

/** Returns the failure of a getter that did not run to its end in the VM or at a node. */
export function refusedResult(getter: TokenGetter, refusal: string): GetterResult {
  return failedResult(getter, 'clarity-error', `${getter} fails: ${excerpt(refusal, MAX_MESSAGE_LENGTH)}`);
}

export function failedResult(getter: TokenGetter, code: FailureCode, message = failureSentence(code)): GetterResult {
  return { getter, failure: { code, message } };
}

function shownValue(getter: TokenGetter, value: ClarityValue): string | undefined {
  switch (getter) {
    case 'get-name':
    case 'get-symbol':
    case 'get-token-uri':
      return textOf(value);
    case 'get-decimals':
      return value.type === 'uint' && value.value <= Number.MAX_SAFE_INTEGER ? String(value.value) : undefined;
    case 'get-total-supply':
      return value.type === 'uint' ? String(value.value) : undefined;
  }
}

function describe(value: ClarityValue): string {
  if (value.type === 'uint') return `u${value.value}`;
  if (value.type === 'int') return String(value.value);
  const text = textOf(value);
  return text === undefined ? `a value of type ${value.type}` : quote(text);
}
