import {
  addressFromVersionHash,
  addressHashModeToVersion,
  addressToString,
  PayloadType,
  type StacksTransactionWire,
  serializePayloadBytes,
} from '@stacks/transactions';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeAddress } from '#clarity/address.ts';
import { decodeTransaction, transactionId } from '#clarity/decode-transaction.ts';
import { isFailure } from '#model/failure.ts';
import { arbitraryDeploy, arbitraryTransaction } from '../support/arbitrary-transaction.ts';
import { ADDRESS, deployJson } from '../support/transactions.ts';

const UNDECODABLE = expect.objectContaining({ code: 'transaction-undecodable' });

/** Returns the decoded transaction with its id. Principals are replaced by their addresses. */
function decode(raw: string) {
  const decoded = decodeTransaction(raw);
  if (isFailure(decoded)) return decoded;
  const { origin, ...rest } = decoded;
  return { txId: transactionId(raw), originAddress: encodeAddress(origin), ...rest };
}

/** Returns what `decode` should return for a transaction that the reference library made. */
function expected(wire: StacksTransactionWire) {
  const { transactionVersion, auth, payload } = wire;
  const network = transactionVersion === 0 ? 'mainnet' : 'testnet';
  const addressOfCondition = ({ hashMode, signer }: typeof auth.spendingCondition) =>
    addressToString(addressFromVersionHash(addressHashModeToVersion(hashMode, network), signer));
  return {
    txId: `0x${wire.txid()}`,
    originAddress: addressOfCondition(auth.spendingCondition),
    ...('codeBody' in payload
      ? {
          deploy: {
            contractName: payload.contractName.content,
            ...('clarityVersion' in payload ? { clarityVersion: payload.clarityVersion } : {}),
            source: Buffer.from(payload.codeBody.content),
          },
        }
      : {}),
    ...(payload.payloadType === PayloadType.ContractCall
      ? { call: Buffer.from(serializePayloadBytes(payload).subarray(1)) }
      : {}),
    ...('burnViewHash' in payload ? { seesOwnBurnBlock: payload.burnViewHash === payload.tenureHash } : {}),
  };
}

const HASH160 = 'a1'.repeat(20);
const NONCE_AND_FEE = '00'.repeat(16);
const SINGLE_SIG = `00${HASH160}${NONCE_AND_FEE}00${'00'.repeat(65)}`;
const DEPLOY = '010161000000022829';
const ASSET = `16${HASH160}01610162`;

/** Returns a mainnet transaction in hex. Each part that is not passed has a default. */
function bytesOf({ auth = `04${SINGLE_SIG}`, conditions = [] as string[], payload = DEPLOY } = {}) {
  const count = conditions.length.toString(16).padStart(8, '0');
  return ['00', '00000001', auth, '0302', count, ...conditions, payload].join('');
}

test('default', () => {
  const { txid, raw_tx } = deployJson('token', '(print "hi")', { clarityVersion: 2 });
  expect(decode(String(raw_tx))).toEqual({
    txId: txid,
    originAddress: ADDRESS,
    deploy: { contractName: 'token', clarityVersion: 2, source: Buffer.from('(print "hi")') },
  });
});

test('agrees with the reference library on every shape', () => {
  fc.assert(
    fc.property(arbitraryTransaction(), (wire) => {
      expect(decode(wire.serialize())).toStrictEqual(expected(wire));
    }),
    { numRuns: 1000 },
  );
});

test('returns the Clarity version of a deploy even if it is unknown', () => {
  expect(decodeTransaction(bytesOf({ payload: `06ff${DEPLOY.slice(2)}` }))).toMatchObject({
    deploy: { clarityVersion: 255 },
  });
});

test('skips other payloads of any type, even with invalid bytes', () => {
  for (const payload of ['02', '03ffff', '09', 'ff00'])
    expect(decodeTransaction(bytesOf({ payload }))).not.toHaveProperty('deploy');
});

const single = (hashMode: string) => `${hashMode}${SINGLE_SIG.slice(2)}`;
const multi = (fields: string) => `0401${HASH160}${NONCE_AND_FEE}${fields}`;
test.each([
  ['text that is not hex', 'zz'],
  ['half a byte', `${bytesOf()}0`],
  ['a burnchain operation', '0x00'],
  ['the authorization type 3', bytesOf({ auth: `03${SINGLE_SIG}` })],
  ['the authorization type 6', bytesOf({ auth: `06${SINGLE_SIG}` })],
  ['the hash mode 4', bytesOf({ auth: `04${single('04')}` })],
  ['the hash mode 6', bytesOf({ auth: `04${single('06')}` })],
  ['the hash mode 8', bytesOf({ auth: `04${single('08')}` })],
  ['an unknown hash mode of the sponsor', bytesOf({ auth: `05${SINGLE_SIG}${single('09')}` })],
  ['a missing spending condition of the sponsor', bytesOf({ auth: `05${SINGLE_SIG}` })],
  ['the authorization field 4', bytesOf({ auth: multi(`0000000104${'00'.repeat(65)}0001`) })],
  ['more authorization fields than bytes', bytesOf({ auth: multi('ffffffff0001') })],
  ['the post-condition type 5', bytesOf({ conditions: ['050130'] })],
  ['the post-condition type 255', bytesOf({ conditions: ['ff0130'] })],
  ['the post-condition principal 0', bytesOf({ conditions: ['040030'] })],
  ['the post-condition principal 4', bytesOf({ conditions: [`0404${'00'.repeat(21)}30`] })],
  ['an asset whose name is not a value', bytesOf({ conditions: [`0201${ASSET}0f10`] })],
  ['an asset whose name nests 100,000 levels', bytesOf({ conditions: [`0201${ASSET}${'0a'.repeat(100_000)}0910`] })],
  ['more post-conditions than bytes', bytesOf().replace(`030200000000`, '0302ffffffff')],
  ['a name that is not UTF-8', bytesOf({ payload: '0101ff000000022829' })],
  ['a source that is not UTF-8', bytesOf({ payload: '01016100000002c328' })],
  ['a source longer than the bytes', bytesOf({ payload: '010161ffffffff2829' })],
  ['a source larger than a block', bytesOf({ payload: `01016100200001${'20'.repeat(0x200001)}` })],
  ['bytes after the source', `${bytesOf()}00`],
])('reports transaction-undecodable, %s', (_, hex) => {
  expect(decodeTransaction(hex)).toEqual(UNDECODABLE);
});

test('rejects every truncation of a deploy as transaction-undecodable', () => {
  fc.assert(
    fc.property(arbitraryTransaction(arbitraryDeploy), (wire) => {
      const hex = wire.serialize();
      for (let length = 0; length < hex.length; length += 2)
        if (!isFailure(decodeTransaction(hex.slice(0, length)))) expect.unreachable(`${length / 2} bytes of ${hex}`);
    }),
    { numRuns: 30 },
  );
});
