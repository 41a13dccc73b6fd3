// Arbitrary transactions of every shape that the wire format has, serialized by the reference library.
import {
  AddressHashMode,
  type Authorization,
  type ClarityVersion,
  createAddress,
  createAsset,
  createCoinbasePayload,
  createContractCallPayload,
  createContractPrincipal,
  createLPList,
  createMessageSignature,
  createNakamotoCoinbasePayload,
  createPoisonPayload,
  createSmartContractPayload,
  createSponsoredAuth,
  createStacksPublicKey,
  createStandardAuth,
  createStandardPrincipal,
  createTenureChangePayload,
  createTokenTransferPayload,
  createTransactionAuthField,
  noneCV,
  type PayloadInput,
  PostConditionPrincipalId,
  PostConditionType,
  type PostConditionWire,
  PubKeyEncoding,
  privateKeyToPublic,
  type SpendingCondition,
  StacksTransactionWire,
  StacksWireType,
  someCV,
  type TransactionAuthFieldWire,
} from '@stacks/transactions';
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
const keyEncoding = fc.constantFrom(PubKeyEncoding.Compressed, PubKeyEncoding.Uncompressed);
const signature = arbitraryHex(65).map(createMessageSignature);
/** The suffix 01 asks for the compressed key. */
const publicKey = fc
  .constantFrom(`${'11'.repeat(32)}01`, '22'.repeat(32), `${'33'.repeat(32)}01`)
  .map((key) => createStacksPublicKey(privateKeyToPublic(key)));

const authField: fc.Arbitrary<TransactionAuthFieldWire> = fc
  .tuple(keyEncoding, fc.oneof(publicKey, signature))
  .map(([encoding, contents]) => createTransactionAuthField(encoding, contents));

const paid = { signer: arbitraryHex(20), nonce: u64, fee: u64 };

const spendingCondition: fc.Arbitrary<SpendingCondition> = fc.oneof(
  fc.record({
    hashMode: fc.constantFrom(AddressHashMode.P2PKH as const, AddressHashMode.P2WPKH as const),
    ...paid,
    keyEncoding,
    signature,
  }),
  fc.record({
    hashMode: fc.constantFrom(
      AddressHashMode.P2SH as const,
      AddressHashMode.P2WSH as const,
      AddressHashMode.P2SHNonSequential as const,
      AddressHashMode.P2WSHNonSequential as const,
    ),
    ...paid,
    fields: fc.array(authField, { maxLength: 5 }),
    signaturesRequired: fc.integer({ min: 0, max: 0xffff }),
  }),
);

export const arbitraryAuth: fc.Arbitrary<Authorization> = fc.oneof(
  spendingCondition.map(createStandardAuth),
  fc.tuple(spendingCondition, spendingCondition).map(([origin, sponsor]) => createSponsoredAuth(origin, sponsor)),
);

const asset = fc.tuple(arbitraryAddress, arbitraryName, arbitraryName).map((parts) => createAsset(...parts));
const guarded = {
  type: fc.constant(StacksWireType.PostCondition as const),
  principal: fc.oneof(
    fc.constant({ type: StacksWireType.Principal, prefix: PostConditionPrincipalId.Origin } as const),
    arbitraryAddress.map(createStandardPrincipal),
    fc.tuple(arbitraryAddress, arbitraryName).map((parts) => createContractPrincipal(...parts)),
  ),
};
const fungibleCode = fc.integer({ min: 1, max: 5 });

export const arbitraryPostCondition: fc.Arbitrary<PostConditionWire> = fc.oneof(
  fc.record({
    ...guarded,
    conditionType: fc.constantFrom(PostConditionType.STX as const, PostConditionType.Staking as const),
    conditionCode: fungibleCode,
    amount: u64,
  }),
  fc.record({
    ...guarded,
    conditionType: fc.constant(PostConditionType.Fungible as const),
    asset,
    conditionCode: fungibleCode,
    amount: u64,
  }),
  fc.record({
    ...guarded,
    conditionType: fc.constant(PostConditionType.NonFungible as const),
    asset,
    assetName: arbitraryValue,
    conditionCode: fc.integer({ min: 0x10, max: 0x12 }),
  }),
  fc.record({
    ...guarded,
    conditionType: fc.constant(PostConditionType.PoX as const),
    conditionCode: fc.integer({ min: 0x30, max: 0x32 }),
  }),
);

/** Types 1 and 6. */
export const arbitraryDeploy: fc.Arbitrary<PayloadInput> = fc
  .tuple(
    arbitraryName,
    fc.oneof(fc.string({ unit: 'binary-ascii', maxLength: 300 }), fc.string({ unit: 'binary' })),
    fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  )
  .map(([name, source, version]) => createSmartContractPayload(name, source, version as ClarityVersion | undefined));

const otherPayload: fc.Arbitrary<PayloadInput> = fc.oneof(
  fc
    .tuple(arbitraryPrincipal, u64, fc.string({ unit: 'binary-ascii', maxLength: 34 }))
    .map((parts) => createTokenTransferPayload(...parts)),
  fc
    .tuple(
      arbitraryAddress.map(createAddress),
      arbitraryName,
      arbitraryName,
      fc.array(arbitraryValue, { maxLength: 3 }),
    )
    .map((parts) => createContractCallPayload(...parts)),
  fc.constant(createPoisonPayload()),
  arbitraryBytes(32).map((bytes) => createCoinbasePayload(bytes)),
  fc.tuple(arbitraryBytes(32), arbitraryPrincipal).map((parts) => createCoinbasePayload(...parts)),
  fc
    .tuple(arbitraryBytes(32), fc.oneof(fc.constant(noneCV()), arbitraryPrincipal.map(someCV)), arbitraryBytes(80))
    .map((parts) => createNakamotoCoinbasePayload(...parts)),
  fc
    .tuple(
      arbitraryHex(20),
      arbitraryHex(20),
      arbitraryHex(20),
      arbitraryHex(32),
      u32,
      fc.integer({ min: 0, max: 6 }),
      arbitraryHex(20),
    )
    .map((parts) => createTenureChangePayload(...parts)),
);

export const arbitraryPayload = fc.oneof(
  { weight: 1, arbitrary: arbitraryDeploy },
  { weight: 2, arbitrary: otherPayload },
);

/** `payload` narrows what the transaction does; everything else stays arbitrary. */
export function arbitraryTransaction(
  payload: fc.Arbitrary<PayloadInput> = arbitraryPayload,
): fc.Arbitrary<StacksTransactionWire> {
  return fc
    .record({
      auth: arbitraryAuth,
      payload,
      postConditions: fc.array(arbitraryPostCondition, { maxLength: 4 }).map((list) => createLPList(list)),
      postConditionMode: fc.integer({ min: 1, max: 3 }),
      transactionVersion: fc.constantFrom(0x00, 0x80),
      chainId: fc.oneof(fc.constantFrom(1, 0x80000000), u32),
      anchorMode: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ anchorMode, ...fields }) => Object.assign(new StacksTransactionWire(fields), { anchorMode }));
}
