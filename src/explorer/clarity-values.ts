// Converts Clarity values from and to hex, as a node takes and gives them. It is a script of its own, 25 KB, which the
// explorer loads when a reader calls a function.
// @stacks/transactions reads literals and has the form of values, MIT; the indexer's VM has it too.
import { Cl, cvToJSON, deserializeCV, serializeCV } from '@stacks/transactions';

/** Encodes a literal, such as `(list u1 u2)`; undefined if it is none. */
export function encodeLiteral(literal: string): string | undefined {
  try {
    return `0x${serializeCV(Cl.parse(literal))}`;
  } catch {
    return undefined;
  }
}

export interface ShownValue {
  readonly clarity: string;
  readonly json: string;
}

export function showValue(hex: string): ShownValue | undefined {
  try {
    const value = deserializeCV(hex);
    // Bytes that are missing, or left over, are not noticed above.
    if (`0x${serializeCV(value)}` !== hex) return undefined;
    return { clarity: Cl.prettyPrint(value, 2), json: JSON.stringify(cvToJSON(value), null, 2) };
  } catch {
    return undefined;
  }
}
