// Converts Clarity values between literals and the hex form of nodes. The explorer loads this script, 25 KB, with the
// first call of a function. @stacks/transactions (MIT) parses the literals and serializes the values.
import { Cl, cvToJSON, deserializeCV, serializeCV } from '@stacks/transactions';

/** Encodes a literal such as `(list u1 u2)`. Returns undefined for an invalid one. */
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
    // The decoder ignores missing and extra bytes.
    if (`0x${serializeCV(value)}` !== hex) return undefined;
    return { clarity: Cl.prettyPrint(value, 2), json: JSON.stringify(cvToJSON(value), null, 2) };
  } catch {
    return undefined;
  }
}
