// Converts a SIP-010 getter's result, from the VM or a node, to a value, `none`, or why it is neither.
import { type ClarityValue, textOf } from '#clarity/decode-value.ts';
import { type FailureCode, failureSentence } from '#model/failure.ts';
import type { GetterAnswer, TokenGetter } from '#model/token.ts';
import { quote, retell } from '#text/quote.ts';

/** VM messages may quote whole types. */
const MAX_MESSAGE_LENGTH = 300;

/** Unwraps `(ok …)` and `(some …)`; `none` becomes undefined, and a wrong type loses only this value. */
export function readGetterAnswer(getter: TokenGetter, answer: ClarityValue): GetterAnswer {
  if (answer.type === 'err')
    return failedAnswer(getter, 'getter-error', `${getter} answers (err ${describe(answer.value)}).`);
  let value = answer.type === 'ok' ? answer.value : answer;
  if (value.type === 'some') value = value.value;
  if (value.type === 'none') return { getter };
  const text = shownValue(getter, value);
  return text === undefined
    ? failedAnswer(
        getter,
        'getter-wrong-type',
        `${getter} answers ${value.type === 'uint' ? describe(value) : `a value of type ${value.type}`}.`,
      )
    : { getter, value: text };
}

/** The answer of a getter that the VM, here or in a node, refused to run to its end. */
export function refusedAnswer(getter: TokenGetter, refusal: string): GetterAnswer {
  return failedAnswer(getter, 'clarity-error', `${getter} fails: ${retell(refusal, MAX_MESSAGE_LENGTH)}`);
}

export function failedAnswer(getter: TokenGetter, code: FailureCode, message = failureSentence(code)): GetterAnswer {
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
