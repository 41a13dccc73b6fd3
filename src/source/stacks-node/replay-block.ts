// Reads a block from a node in the form posted to observers: `GET /v3/blocks/replay/…` (Stacks 3.3 and later, for
// blocks since Nakamoto), plus the data that it leaves out.
import { encodeAddress } from '#clarity/address.ts';
import { decodeTransaction } from '#clarity/decode-transaction.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { JsonClient } from '#net/json-client.ts';
import { readInterface } from './node-answers.ts';

export interface ReplayedBlock {
  readonly height: number;
  /** Index block hash, hex with a 0x prefix. */
  readonly parent: string;
  /** JSON body of `POST /new_block`. */
  readonly payload: string;
}

/** A block has at most 2 MB of transactions, and JSON writes each byte of some parts as a number. */
const MAX_BLOCK_BYTES = 200_000_000;
const MAX_BLOCK_VALUES = 20_000_000;
/** A serialized `(err …)`. */
const ERROR_PREFIX = '0x08';

interface Replay {
  readonly block_hash: string;
  readonly block_height: number;
  readonly parent_block_id: string;
  readonly consensus_hash: string;
  readonly transactions: readonly ReplayedTransaction[];
}

interface ReplayedTransaction {
  readonly txid: string;
  readonly tx_index: number;
  readonly hex: string;
  readonly result_hex: string;
  readonly post_condition_aborted?: boolean;
  readonly vm_error?: string | null;
  readonly events: readonly unknown[];
}

/** `id`: index block hash, hex with a 0x prefix. Undefined if the node cannot replay the block. */
export async function replayBlock(client: JsonClient, id: string): Promise<ReplayedBlock | Failure | undefined> {
  const path = `/v3/blocks/replay/${id.slice(2)}`;
  const answer = await client.get(path, { maxBytes: MAX_BLOCK_BYTES, maxValues: MAX_BLOCK_VALUES });
  if (isFailure(answer)) return answer;
  if (answer.status === 404) return undefined;
  if (answer.status === 400)
    return fail('source-invalid', `${client.baseUrl} cannot replay blocks: its configuration lacks an auth_token.`);
  const replay = answer.json;
  if (!isReplay(replay))
    return fail('source-invalid', `${client.baseUrl} replays ${id} in a format unknown to this version.`);
  const burn = await readBurnBlock(client, replay.consensus_hash);
  if (isFailure(burn)) return burn;
  const transactions: unknown[] = [];
  for (const transaction of replay.transactions) {
    const status = statusOf(transaction);
    const contractInterface = status === 'success' ? await readInterfaceOf(client, transaction.hex) : undefined;
    if (isFailure(contractInterface)) return contractInterface;
    transactions.push({
      txid: prefixed(transaction.txid),
      tx_index: transaction.tx_index,
      status,
      raw_result: prefixed(transaction.result_hex),
      raw_tx: prefixed(transaction.hex),
      contract_interface: contractInterface ?? null,
    });
  }
  const parent = prefixed(replay.parent_block_id);
  const block = {
    block_hash: prefixed(replay.block_hash),
    block_height: replay.block_height,
    index_block_hash: id,
    parent_index_block_hash: parent,
    burn_block_height: burn.height,
    burn_block_time: burn.time,
    transactions,
    events: replay.transactions.flatMap(({ events }) => events),
  };
  return { height: replay.block_height, parent, payload: JSON.stringify(block) };
}

function statusOf({ post_condition_aborted: aborted, vm_error: error, result_hex: result }: ReplayedTransaction) {
  if (aborted === true) return 'abort_by_post_condition';
  return typeof error === 'string' || prefixed(result).startsWith(ERROR_PREFIX) ? 'abort_by_response' : 'success';
}

/** Undefined if the transaction is not a deploy. */
async function readInterfaceOf(client: JsonClient, hex: string) {
  const decoded = decodeTransaction(hex);
  if (isFailure(decoded) || decoded.deploy === undefined) return undefined;
  return readInterface(client, `${encodeAddress(decoded.origin)}.${decoded.deploy.contractName}`);
}

/** The burn block of the tenure: `GET /v3/sortitions/consensus/…`. */
async function readBurnBlock(
  client: JsonClient,
  consensusHash: string,
): Promise<{ readonly height: number; readonly time: number } | Failure> {
  const answer = await client.get(`/v3/sortitions/consensus/${consensusHash.replace(/^0x/, '')}`);
  if (isFailure(answer)) return answer;
  const [sortition] = Array.isArray(answer.json) ? (answer.json as Record<string, unknown>[]) : [];
  const { burn_block_height: height, burn_header_timestamp: time } = sortition ?? {};
  return typeof height === 'number' && typeof time === 'number'
    ? { height, time }
    : fail('source-invalid', `${client.baseUrl} does not know the burn block of ${consensusHash}.`);
}

/** Nodes write some hashes with the prefix, and some without it. */
function prefixed(hex: string): string {
  return hex.startsWith('0x') ? hex : `0x${hex}`;
}

function isReplay(value: unknown): value is Replay {
  const { block_hash, block_height, parent_block_id, consensus_hash, transactions } = (value ?? {}) as Partial<Replay>;
  const areTexts = [block_hash, parent_block_id, consensus_hash].every((text) => typeof text === 'string');
  return (
    areTexts && Number.isSafeInteger(block_height) && Array.isArray(transactions) && transactions.every(isTransaction)
  );
}

function isTransaction(value: unknown): boolean {
  const { txid, tx_index, hex, result_hex, events } = (value ?? {}) as Partial<ReplayedTransaction>;
  const areTexts = [txid, hex, result_hex].every((text) => typeof text === 'string');
  return areTexts && Number.isSafeInteger(tx_index) && Array.isArray(events);
}
