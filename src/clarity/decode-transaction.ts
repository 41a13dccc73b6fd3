// Decodes the parts of a serialized transaction that an index needs: origin, and the deploy, call or tenure change
// (SIP-005, "Transaction Encoding"; SIP-021).
import { hash } from 'node:crypto';
import { type Failure, fail } from '#model/failure.ts';
import { addressVersion, HASH160_BYTES, MAX_ADDRESS_VERSION, type StandardPrincipal } from './address.ts';
import { ByteReader, bytesFromHex, DecodeError } from './byte-reader.ts';
import { readValue } from './decode-value.ts';

export interface DecodedTransaction {
  /**
   * The origin, even in a sponsored transaction. Its address is encoded only on demand, since that takes as long as
   * decoding a transaction.
   */
  readonly origin: StandardPrincipal;
  readonly deploy?: DecodedDeploy;
  /**
   * The payload of a contract call without its type byte: contract, function and arguments. The arguments are not
   * validated.
   */
  readonly call?: Buffer;
  /**
   * True if the tenure's own burn block is the last burn block that the tenure sees. Undefined unless the transaction
   * is a tenure change.
   */
  readonly seesOwnBurnBlock?: boolean;
}

export interface DecodedDeploy {
  readonly contractName: string;
  /** The Clarity version that the deploy declares. Undefined for payload type 1, which has no version. */
  readonly clarityVersion?: number;
  /** UTF-8 text. */
  readonly source: Uint8Array;
}

const AUTH_STANDARD = 0x04;
const AUTH_SPONSORED = 0x05;
const PAYLOAD_SMART_CONTRACT = 0x01;
const PAYLOAD_CONTRACT_CALL = 0x02;
const PAYLOAD_VERSIONED_SMART_CONTRACT = 0x06;
const PAYLOAD_TENURE_CHANGE = 0x07;
const CONSENSUS_HASH_BYTES = 20;
/** Hash modes of addresses with one signature: P2PKH and P2WPKH-P2SH. */
const SINGLE_SIG_MODES: ReadonlySet<number> = new Set([0x00, 0x02]);
/**
 * Hash modes of addresses with several signatures: P2SH and P2WSH-P2SH, and the forms of both with signatures in any
 * order.
 */
const MULTI_SIG_MODES: ReadonlySet<number> = new Set([0x01, 0x03, 0x05, 0x07]);
const KEY_BYTES = 33;
const SIGNATURE_BYTES = 65;
const U64_BYTES = 8;
/** The maximum size of a block, and so of a source, in bytes. Reading a source takes up to 250 times its size. */
const MAX_SOURCE_BYTES = 2 * 1024 * 1024;

/**
 * Decodes a transaction from bytes, or from hex text with or without a 0x prefix. Returns the failure
 * `transaction-undecodable` for invalid and unknown forms.
 */
export function decodeTransaction(raw: string | Uint8Array): DecodedTransaction | Failure {
  try {
    return readTransaction(typeof raw === 'string' ? bytesFromHex(raw) : raw);
  } catch (error) {
    if (error instanceof DecodeError) {
      return fail('transaction-undecodable', `The transaction cannot be decoded: ${error.message}.`);
    }
    throw error;
  }
}

/** Returns the SHA-512/256 of the bytes as hex with a 0x prefix. Throws DecodeError for text that is not hex. */
export function transactionId(raw: string | Uint8Array): string {
  const bytes = typeof raw === 'string' ? bytesFromHex(raw) : raw;
  return `0x${hash('sha512-256', bytes, 'hex')}`;
}

function readTransaction(bytes: Uint8Array): DecodedTransaction {
  const reader = new ByteReader(bytes);
  const mainnet = (reader.u8() & 0x80) === 0;
  reader.skip(4); // chain id
  const auth = reader.u8();
  if (auth !== AUTH_STANDARD && auth !== AUTH_SPONSORED) throw new DecodeError(`unknown authorization type ${auth}`);
  const origin = readSpendingCondition(reader, mainnet);
  if (auth === AUTH_SPONSORED) readSpendingCondition(reader, mainnet);
  reader.skip(2); // anchor mode, post-condition mode
  for (let left = reader.u32(); left > 0; left--) skipPostCondition(reader);
  return { origin, ...readPayload(reader) };
}

function readPayload(reader: ByteReader): Omit<DecodedTransaction, 'origin'> {
  switch (reader.u8()) {
    case PAYLOAD_SMART_CONTRACT:
      return { deploy: readDeploy(reader, {}) };
    case PAYLOAD_VERSIONED_SMART_CONTRACT:
      return { deploy: readDeploy(reader, { clarityVersion: reader.u8() }) };
    case PAYLOAD_CONTRACT_CALL:
      return { call: readCall(reader) };
    case PAYLOAD_TENURE_CHANGE:
      return { seesOwnBurnBlock: readTenureChange(reader) };
    default:
      return {};
  }
}

function readCall(reader: ByteReader): Buffer {
  const payload = reader.rest();
  const version = reader.u8();
  if (version > MAX_ADDRESS_VERSION) throw new DecodeError(`address version ${version}`);
  reader.skip(HASH160_BYTES);
  reader.skip(reader.u8());
  reader.skip(reader.u8());
  return payload;
}

/**
 * Reads the consensus hashes of the tenure, of the tenure before it, and of the last burn block that the tenure sees.
 * Returns true if the first hash equals the third.
 */
function readTenureChange(reader: ByteReader): boolean {
  const tenure = reader.hex(CONSENSUS_HASH_BYTES);
  reader.skip(CONSENSUS_HASH_BYTES);
  return reader.hex(CONSENSUS_HASH_BYTES) === tenure;
}

function readDeploy(reader: ByteReader, version: { readonly clarityVersion?: number }): DecodedDeploy {
  const contractName = reader.utf8(reader.u8());
  const length = reader.u32();
  if (length > MAX_SOURCE_BYTES) throw new DecodeError(`a source of ${length} bytes`);
  const source = reader.utf8Bytes(length);
  if (reader.remaining > 0) throw new DecodeError(`${reader.remaining} bytes left over`);
  return { contractName, ...version, source };
}

function readSpendingCondition(reader: ByteReader, mainnet: boolean): StandardPrincipal {
  const hashMode = reader.u8();
  const hash160 = reader.hex(HASH160_BYTES);
  reader.skip(2 * U64_BYTES); // nonce, fee
  if (SINGLE_SIG_MODES.has(hashMode)) {
    reader.skip(1 + SIGNATURE_BYTES); // key encoding, signature
  } else if (MULTI_SIG_MODES.has(hashMode)) {
    for (let left = reader.u32(); left > 0; left--) {
      const field = reader.u8();
      if (field > 3) throw new DecodeError(`unknown authorization field ${field}`);
      reader.skip(field <= 1 ? KEY_BYTES : SIGNATURE_BYTES);
    }
    reader.skip(2); // signatures required
  } else {
    throw new DecodeError(`unknown hash mode ${hashMode}`);
  }
  return { version: addressVersion(hashMode, mainnet), hash160 };
}

function skipPostCondition(reader: ByteReader): void {
  const asset = reader.u8();
  // Types 3 and 4 (staking and pox, epoch 3.4 and later) have a principal and no asset.
  skipPostConditionPrincipal(reader);
  switch (asset) {
    case 0x00: // STX
    case 0x03:
      reader.skip(1 + U64_BYTES);
      return;
    case 0x01: // fungible
      skipAssetInfo(reader);
      reader.skip(1 + U64_BYTES);
      return;
    case 0x02: // non-fungible
      skipAssetInfo(reader);
      readValue(reader);
      reader.skip(1);
      return;
    case 0x04:
      reader.skip(1);
      return;
    default:
      throw new DecodeError(`unknown post-condition type ${asset}`);
  }
}

function skipPostConditionPrincipal(reader: ByteReader): void {
  const kind = reader.u8();
  if (kind === 0x01) return; // the origin
  if (kind !== 0x02 && kind !== 0x03) throw new DecodeError(`unknown post-condition principal ${kind}`);
  reader.skip(1 + HASH160_BYTES);
  if (kind === 0x03) reader.skip(reader.u8());
}

function skipAssetInfo(reader: ByteReader): void {
  reader.skip(1 + HASH160_BYTES);
  reader.skip(reader.u8());
  reader.skip(reader.u8());
}
