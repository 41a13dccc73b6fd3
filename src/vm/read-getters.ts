// Calls the getters of a deployed token or collection and returns their answers.
import { atomOf, definedName, type Expression, headOf, itemsOf, parseSource } from '#clarity/parse-source.ts';
import type { GetterResult } from '#model/token.ts';
import { readGetterResult, refusedResult } from '#standards/read-getter-result.ts';
import type { Read } from './messages.ts';
import type { Session } from './session.ts';

/** Name of a function that fails with the answer of a public getter. */
export const readerOf = (getter: string) => `stxpress-${getter}`;

/** Appends readers to a token's source: called from another contract, `contract-caller` would not be the sender. */
export function withReaders(sourceCode: string, reads: readonly Read[]): string {
  if (reads.length === 0 || !sourceCode.includes('define-public')) return sourceCode;
  const definitions = parseSource(sourceCode);
  const readers = reads.flatMap(({ getter, tokenNumbers }) => {
    const takesNumber = tokenNumbers !== undefined;
    if (!definitions.some((one) => isPublicGetter(one, getter, takesNumber))) return [];
    const [parameter, passed] = takesNumber ? [' (stxpress-id uint)', ' stxpress-id'] : ['', ''];
    return `\n(define-public (${readerOf(getter)}${parameter}) (err (${getter}${passed})))`;
  });
  return sourceCode + readers.join('');
}

/** A reader of a function with other parameters would have the VM refuse the whole source. */
function isPublicGetter(definition: Expression, getter: string, takesNumber: boolean): boolean {
  if (headOf(definition) !== 'define-public' || definedName(definition) !== getter) return false;
  const parameters = itemsOf(itemsOf(definition)[1]).slice(1);
  const isUint = (parameter: Expression) => atomOf(itemsOf(parameter)[1]) === 'uint';
  return parameters.length === Number(takesNumber) && parameters.every(isUint);
}

export function readGetters(
  session: Session,
  contractId: string,
  definitions: readonly Expression[],
  reads: readonly Read[],
): GetterResult[] {
  const defined = new Set(definitions.map(definedName));
  return reads.flatMap(({ getter, tokenNumbers }) => {
    // A contract may define a function of this name itself.
    const hasReader =
      defined.has(readerOf(getter)) &&
      definitions.some((one) => isPublicGetter(one, getter, tokenNumbers !== undefined));
    return (tokenNumbers ?? [undefined]).map((tokenNumber) => {
      const called = hasReader
        ? session.readFailing(contractId, readerOf(getter), tokenNumber)
        : session.read(contractId, getter, tokenNumber);
      const answer =
        'refusal' in called ? refusedResult(getter, called.refusal) : readGetterResult(getter, called.value);
      return tokenNumber === undefined ? answer : { ...answer, tokenNumber };
    });
  });
}
