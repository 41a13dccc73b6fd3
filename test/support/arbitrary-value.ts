// Generates Clarity values and parts of values, in the types of the reference library.
import { addressFromVersionHash, addressToString, Cl, type ClarityValue, type PrincipalCV } from '@stacks/transactions';
import fc from 'fast-check';

export const arbitraryBytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

/** Generates hex text that represents `length` bytes. */
export const arbitraryHex = (length: number) =>
  arbitraryBytes(length).map((bytes) => Buffer.from(bytes).toString('hex'));

/** Generates names of contracts, functions, assets and tuple keys. */
export const arbitraryName = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,39}$/);

/**
 * Generates addresses with all versions that c32 supports, 0 to 31. Many begin with zeros, because encoders often fail
 * there.
 */
export const arbitraryAddress = fc
  .tuple(
    fc.oneof(fc.constantFrom(20, 21, 22, 26), fc.integer({ min: 0, max: 31 })),
    fc.oneof(arbitraryHex(20), fc.constantFrom('00'.repeat(20), `0000${'a1'.repeat(18)}`)),
  )
  .map(([version, hash160]) => addressToString(addressFromVersionHash(version, hash160)));

export const arbitraryPrincipal: fc.Arbitrary<PrincipalCV> = fc.oneof(
  arbitraryAddress.map((address) => Cl.standardPrincipal(address)),
  fc.tuple(arbitraryAddress, arbitraryName).map(([address, name]) => Cl.contractPrincipal(address, name)),
);

const U128 = 2n ** 128n - 1n;
const I128 = 2n ** 127n - 1n;

export const arbitraryValue: fc.Arbitrary<ClarityValue> = fc.letrec<{ value: ClarityValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', maxDepth: 12 },
    fc.bigInt({ min: -I128 - 1n, max: I128 }).map((number) => Cl.int(number)),
    fc.bigInt({ min: 0n, max: U128 }).map((number) => Cl.uint(number)),
    fc.boolean().map((truth) => Cl.bool(truth)),
    fc.constant(Cl.none()),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Cl.buffer(bytes)),
    fc.string({ unit: 'binary-ascii' }).map((text) => Cl.stringAscii(text)),
    fc.string({ unit: 'binary' }).map((text) => Cl.stringUtf8(text)),
    arbitraryPrincipal,
    tie('value').map((inner) => Cl.some(inner)),
    tie('value').map((inner) => Cl.ok(inner)),
    tie('value').map((inner) => Cl.error(inner)),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => Cl.list(items)),
    fc.dictionary(arbitraryName, tie('value'), { maxKeys: 4 }).map((entries) => Cl.tuple(entries)),
  ),
})).value;
