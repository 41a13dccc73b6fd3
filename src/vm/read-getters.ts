// Calls the SIP-010 getters of a deployed token and reads their answers.
import type { ClarityValue } from '#clarity/decode-value.ts';
import { definedName, type Expression, headOf } from '#clarity/parse-source.ts';
import { type GetterAnswer, TOKEN_GETTERS, type TokenGetter } from '#model/token.ts';
import { readGetterAnswer, refusedAnswer } from '#standards/read-getter-answer.ts';
import type { SdkValue, Session } from './session.ts';

/** `definitions`: those of the deployed source. */
export function readGetters(
  session: Session,
  contractId: string,
  definitions: readonly Expression[],
  wanted: readonly TokenGetter[] = TOKEN_GETTERS,
): GetterAnswer[] {
  const publicNames = new Set(definitions.filter((one) => headOf(one) === 'define-public').map(definedName));
  // A public getter can change state, so what only reads goes first.
  const getters = wanted.toSorted((left, right) => Number(publicNames.has(left)) - Number(publicNames.has(right)));
  return getters.map((getter) => {
    const called = session.call(contractId, getter, publicNames.has(getter) ? 'public' : 'read_only');
    return 'refusal' in called
      ? refusedAnswer(getter, called.refusal)
      : readGetterAnswer(getter, toClarityValue(called.value));
  });
}

/** As deep as answers of getters are looked at: what is inside other types stays the SDK's. */
function toClarityValue(value: SdkValue): ClarityValue {
  switch (value.type) {
    case 'ok':
    case 'err':
    case 'some':
      return { type: value.type, value: toClarityValue(value.value) };
    case 'int':
    case 'uint':
      return { type: value.type, value: BigInt(value.value) };
    case 'ascii':
    case 'utf8':
      return { type: `string-${value.type}`, value: value.value };
    default:
      return value as unknown as ClarityValue;
  }
}
