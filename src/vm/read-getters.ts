// Calls the getters of a deployed token or collection and returns their results.
import { atomOf, definedName, type Expression, headOf, itemsOf, parseSource } from '#clarity/parse-source.ts';
import type { GetterResult } from '#model/token.ts';
import { readGetterResult, refusedResult } from '#standards/read-getter-result.ts';
import type { Read } from './messages.ts';
import type { Session } from './session.ts';

/** Returns the name of the reader of a public getter. A reader is a function that fails with the getter's result. */
export const readerOf = (getter: string) => `stxpress-${getter}`;

/** Appends readers to a token's source. A reader in another contract would change the getter's `contract-caller`. */
export function withReaders(sourceCode: string, reads: readonly Read[]): string {
  if (reads.length === 0 || !sourceCode.includes('define-public')) return sourceCode;
  const definitions = parseSource(sourceCode);
  const readers = reads.flatMap(({ getter, tokenNumbers }) => {
    const takesNumber = tokenNumbers !== undefined;
    if (!definitions.some((definition) => isPublicGetter(definition, getter, takesNumber))) return [];
    const [parameter, argument] = takesNumber ? [' (stxpress-id uint)', ' stxpress-id'] : ['', ''];
    return `\n(define-public (${readerOf(getter)}${parameter}) (err (${getter}${argument})))`;
  });
  return sourceCode + readers.join('');
}

/** True for a public getter with the expected parameters. The VM would reject a reader of any other function. */
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
    // Checks the getter too, because the contract itself may define a function with the name of a reader.
    const hasReader =
      defined.has(readerOf(getter)) &&
      definitions.some((definition) => isPublicGetter(definition, getter, tokenNumbers !== undefined));
    return (tokenNumbers ?? [undefined]).map((tokenNumber) => {
      const called = hasReader
        ? session.readFailing(contractId, readerOf(getter), tokenNumber)
        : session.read(contractId, getter, tokenNumber);
      const result =
        'refusal' in called ? refusedResult(getter, called.refusal) : readGetterResult(getter, called.value);
      return tokenNumber === undefined ? result : { ...result, tokenNumber };
    });
  });
}
