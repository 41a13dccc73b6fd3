// Calls the getters of a deployed token or collection and reads their answers.
import type { ClarityValue } from '#clarity/decode-value.ts';
import { definedName, type Expression, headOf } from '#clarity/parse-source.ts';
import type { GetterAnswer } from '#model/token.ts';
import { readGetterAnswer, refusedAnswer } from '#standards/read-getter-answer.ts';
import type { Read } from './messages.ts';
import type { SdkValue, Session } from './session.ts';

/** `definitions`: those of the deployed source. */
export function readGetters(
  session: Session,
  contractId: string,
  definitions: readonly Expression[],
  reads: readonly Read[],
): GetterAnswer[] {
  const publicNames = new Set(definitions.filter((one) => headOf(one) === 'define-public').map(definedName));
  const isPublic = ({ getter }: Read) => publicNames.has(getter);
  // A public getter can change state, so what only reads goes first.
  const inOrder = reads.toSorted((left, right) => Number(isPublic(left)) - Number(isPublic(right)));
  return inOrder.flatMap((read) =>
    (read.tokenNumbers ?? [undefined]).map((tokenNumber) => {
      const { getter } = read;
      const called = session.call(contractId, getter, isPublic(read) ? 'public' : 'read_only', tokenNumber);
      const answer =
        'refusal' in called
          ? refusedAnswer(getter, called.refusal)
          : readGetterAnswer(getter, toClarityValue(called.value));
      return tokenNumber === undefined ? answer : { ...answer, tokenNumber };
    }),
  );
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
