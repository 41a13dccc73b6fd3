// Calls the getters of a deployed token or collection and returns their answers.
import { definedName, type Expression, headOf } from '#clarity/parse-source.ts';
import type { GetterAnswer } from '#model/token.ts';
import { readGetterAnswer, refusedAnswer } from '#standards/read-getter-answer.ts';
import type { DeployedSource, Read } from './messages.ts';
import type { Session } from './session.ts';

export function readGetters(
  session: Session,
  { contractId, clarityVersion }: Pick<DeployedSource, 'contractId' | 'clarityVersion'>,
  definitions: readonly Expression[],
  reads: readonly Read[],
): GetterAnswer[] {
  const publicNames = new Set(definitions.filter((one) => headOf(one) === 'define-public').map(definedName));
  return reads.flatMap(({ getter, tokenNumbers }) =>
    (tokenNumbers ?? [undefined]).map((tokenNumber) => {
      const called = publicNames.has(getter)
        ? session.readPublic(contractId, getter, clarityVersion, tokenNumber)
        : session.read(contractId, getter, tokenNumber);
      const answer =
        'refusal' in called ? refusedAnswer(getter, called.refusal) : readGetterAnswer(getter, called.value);
      return tokenNumber === undefined ? answer : { ...answer, tokenNumber };
    }),
  );
}
