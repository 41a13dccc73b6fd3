// Generates transactions of every kind in the wire format. The reference library serializes them.
import * as stacks from '@stacks/transactions';
import fc from 'fast-check';
import {
  arbitraryAddress,
  arbitraryBytes,
  arbitraryHex,
  arbitraryName,
  arbitraryPrincipal,
  arbitraryValue,
} from './arbitrary-value.ts';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const u32 = fc.integer({ min: 0, max: 0xffffffff });
const keyEncoding = fc.constantFrom(stacks.PubKeyEncoding.Compressed, stacks.PubKeyEncoding.Uncompressed);
const signature = arbitraryHex(65).map(stacks.createMessageSignature);
/** Generates public keys. A private key that ends with 01 has a compressed public key. */
const publicKey = fc
  .constantFrom(`${'11'.repeat(32)}01`, '22'.repeat(32), `${'33'.repeat(32)}01`)
  .map((key) => stacks.createStacksPublicKey(stacks.privateKeyToPublic(key)));

const authField: fc.Arbitrary<stacks.TransactionAuthFieldWire> = fc
  .tuple(keyEncoding, fc.oneof(publicKey, signature))
  .map(([encoding, contents]) => stacks.createTransactionAuthField(encoding, contents));

const paid = { signer: arbitraryHex(20), nonce: u64, fee: u64 };

const spendingCondition: fc.Arbitrary<stacks.SpendingCondition> = fc.oneof(
  fc.record({
    hashMode: fc.constantFrom(stacks.AddressHashMode.P2PKH as const, stacks.AddressHashMode.P2WPKH as const),
    ...paid,
    keyEncoding,
    signature,
  }),
  fc.record({
    hashMode: fc.constantFrom(
      stacks.AddressHashMode.P2SH as const,
      stacks.AddressHashMode.P2WSH as const,
      stacks.AddressHashMode.P2SHNonSequential as const,
      stacks.AddressHashMode.P2WSHNonSequential as const,
    ),
    ...paid,
    fields: fc.array(authField, { maxLength: 5 }),
    signaturesRequired: fc.integer({ min: 0, max: 0xffff }),
  }),
);

export const arbitraryAuth: fc.Arbitrary<stacks.Authorization> = fc.oneof(
  spendingCondition.map(stacks.createStandardAuth),
  fc
    .tuple(spendingCondition, spendingCondition)
    .map(([origin, sponsor]) => stacks.createSponsoredAuth(origin, sponsor)),
);

const asset = fc.tuple(arbitraryAddress, arbitraryName, arbitraryName).map((parts) => stacks.createAsset(...parts));
const guarded = {
  type: fc.constant(stacks.StacksWireType.PostCondition as const),
  principal: fc.oneof(
    fc.constant({ type: stacks.StacksWireType.Principal, prefix: stacks.PostConditionPrincipalId.Origin } as const),
    arbitraryAddress.map(stacks.createStandardPrincipal),
    fc.tuple(arbitraryAddress, arbitraryName).map((parts) => stacks.createContractPrincipal(...parts)),
  ),
};
const fungibleCode = fc.integer({ min: 1, max: 5 });

export const arbitraryPostCondition: fc.Arbitrary<stacks.PostConditionWire> = fc.oneof(
  fc.record({
    ...guarded,
    conditionType: fc.constantFrom(stacks.PostConditionType.STX as const, stacks.PostConditionType.Staking as const),
    conditionCode: fungibleCode,
    amount: u64,
  }),
  fc.record({
    ...guarded,
    conditionType: fc.constant(stacks.PostConditionType.Fungible as const),
    asset,
    conditionCode: fungibleCode,
    amount: u64,
  }),
  fc.record({
    ...guarded,
    conditionType: fc.constant(stacks.PostConditionType.NonFungible as const),
    asset,
    assetName: arbitraryValue,
    conditionCode: fc.integer({ min: 0x10, max: 0x12 }),
  }),
  fc.record({
    ...guarded,
    conditionType: fc.constant(stacks.PostConditionType.PoX as const),
    conditionCode: fc.integer({ min: 0x30, max: 0x32 }),
  }),
);

/** Generates the payloads that deploy contracts: type 1 without a Clarity version, and type 6 with it. */
export const arbitraryDeploy: fc.Arbitrary<stacks.PayloadInput> = fc
  .tuple(
    arbitraryName,
    fc.oneof(fc.string({ unit: 'binary-ascii', maxLength: 300 }), fc.string({ unit: 'binary' })),
    fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  )
  .map(([name, source, version]) =>
    stacks.createSmartContractPayload(name, source, version as stacks.ClarityVersion | undefined),
  );

const otherPayload: fc.Arbitrary<stacks.PayloadInput> = fc.oneof(
  fc
    .tuple(arbitraryPrincipal, u64, fc.string({ unit: 'binary-ascii', maxLength: 34 }))
    .map((parts) => stacks.createTokenTransferPayload(...parts)),
  fc
    .tuple(
      arbitraryAddress.map(stacks.createAddress),
      arbitraryName,
      arbitraryName,
      fc.array(arbitraryValue, { maxLength: 3 }),
    )
    .map((parts) => stacks.createContractCallPayload(...parts)),
  fc.constant(stacks.createPoisonPayload()),
  arbitraryBytes(32).map((bytes) => stacks.createCoinbasePayload(bytes)),
  fc.tuple(arbitraryBytes(32), arbitraryPrincipal).map((parts) => stacks.createCoinbasePayload(...parts)),
  fc
    .tuple(
      arbitraryBytes(32),
      fc.oneof(fc.constant(stacks.noneCV()), arbitraryPrincipal.map(stacks.someCV)),
      arbitraryBytes(80),
    )
    .map((parts) => stacks.createNakamotoCoinbasePayload(...parts)),
  fc
    .tuple(
      // Chooses from only two values, so that the first and the third consensus hash are often equal.
      fc.constantFrom('a1'.repeat(20), 'b2'.repeat(20)),
      arbitraryHex(20),
      fc.constantFrom('a1'.repeat(20), 'b2'.repeat(20)),
      arbitraryHex(32),
      u32,
      fc.integer({ min: 0, max: 6 }),
      arbitraryHex(20),
    )
    .map((parts) => stacks.createTenureChangePayload(...parts)),
);

export const arbitraryPayload = fc.oneof(
  { weight: 1, arbitrary: arbitraryDeploy },
  { weight: 2, arbitrary: otherPayload },
);

/** Generates transactions of every kind, with payloads from `payload`. */
export function arbitraryTransaction(
  payload: fc.Arbitrary<stacks.PayloadInput> = arbitraryPayload,
): fc.Arbitrary<stacks.StacksTransactionWire> {
  return fc
    .record({
      auth: arbitraryAuth,
      payload,
      postConditions: fc.array(arbitraryPostCondition, { maxLength: 4 }).map((list) => stacks.createLPList(list)),
      postConditionMode: fc.integer({ min: 1, max: 3 }),
      transactionVersion: fc.constantFrom(0x00, 0x80),
      chainId: fc.oneof(fc.constantFrom(1, 0x80000000), u32),
      anchorMode: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ anchorMode, ...fields }) => Object.assign(new stacks.StacksTransactionWire(fields), { anchorMode }));
}
