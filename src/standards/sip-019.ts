// Decodes prints that are SIP-019 notifications, which announce that the metadata of tokens changed.
import { type ClarityValue, decodeValue, textOf } from '#clarity/decode-value.ts';
import type { MetadataNotification } from '#model/chain-event.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { isContractId } from '#model/principal.ts';

const NAME = 'token-metadata-update';
/** The notification's name in hex. A print whose value does not contain it is not decoded. */
export const NAME_HEX = Buffer.from(NAME).toString('hex');
/** The default of `ttl` in seconds, for the mode `dynamic` (SIP-019). */
const DEFAULT_TTL_SECONDS = 86_400;

/**
 * Decodes a printed value (hex). Returns undefined if it is not a notification. Does not check who sent it ({@link
 * isEntitled}).
 */
export function decodeNotification(rawValue: string): MetadataNotification | Failure | undefined {
  if (!rawValue.includes(NAME_HEX)) return undefined;
  const value = decodeValue(rawValue);
  if (isFailure(value)) return fail('notification-malformed', value.message);
  if (value.type !== 'tuple' || textOf(value.value.get('notification')) !== NAME) return undefined;

  const payload = value.value.get('payload');
  if (payload?.type !== 'tuple') return malformed('payload is not a tuple');
  const tokenClass = textOf(payload.value.get('token-class'));
  if (tokenClass !== 'ft' && tokenClass !== 'nft' && tokenClass !== 'sft')
    return malformed('token-class is not ft, nft or sft');
  const contract = payload.value.get('contract-id');
  if (contract?.type !== 'principal' || !isContractId(contract.value))
    return malformed('contract-id is not a contract principal');
  const numbers = payload.value.get('token-ids');
  if (numbers !== undefined && (numbers.type !== 'list' || !numbers.value.every((item) => item.type === 'uint'))) {
    return malformed('token-ids is not a list of uint');
  }
  const mode = payload.value.get('update-mode');
  const updateMode = mode === undefined ? 'standard' : textOf(mode);
  if (updateMode !== 'standard' && updateMode !== 'frozen' && updateMode !== 'dynamic') {
    return malformed('update-mode is not standard, frozen or dynamic');
  }
  const ttl = payload.value.get('ttl');
  if (ttl !== undefined && (ttl.type !== 'uint' || ttl.value > BigInt(Number.MAX_SAFE_INTEGER))) {
    return malformed('ttl is not a uint of seconds');
  }
  return {
    tokenClass,
    contractId: contract.value,
    ...(numbers === undefined ? {} : { tokenNumbers: numbers.value.flatMap(uintText) }),
    updateMode,
    ...(updateMode === 'dynamic' ? { ttlSeconds: ttl === undefined ? DEFAULT_TTL_SECONDS : Number(ttl.value) } : {}),
  };
}

/**
 * True if the emitter of a notification may announce changes of a contract (SIP-019, "Considerations for metadata
 * indexers"). It must be the contract itself, or the contract's deployer must have signed the transaction.
 */
export function isEntitled(notification: MetadataNotification, emitter: string, originAddress: string | undefined) {
  return emitter === notification.contractId || notification.contractId.split('.')[0] === originAddress;
}

function malformed(problem: string): Failure {
  return fail('notification-malformed', `The SIP-019 notification is malformed: ${problem}.`);
}

const uintText = (value: ClarityValue) => (value.type === 'uint' ? String(value.value) : []);
