// Reads a complete block from a node (Stacks 3.3 and later, blocks since Nakamoto) in the form that observers receive.
import { z } from 'zod';
import { encodeAddress } from '#clarity/address.ts';
import { decodeTransaction } from '#clarity/decode-transaction.ts';
import { fail, isFailure } from '#model/failure.ts';
import { isContractId } from '#model/principal.ts';
import type { ServerClient } from '#net/server-client.ts';
import { MAX_HEIGHT } from '../observer/payload-members.ts';
import { readInterface } from './node-responses.ts';

/**
 * The maximum size of a block in JSON. A block has at most 2 MB of transactions, but JSON writes each byte of some
 * parts as a number.
 */
const MAX_BLOCK_BYTES = 200_000_000;
const MAX_BLOCK_VALUES = 20_000_000;
/** A serialized `(err …)`. */
const ERROR_PREFIX = '0x08';
/** The lengths of hashes in hex with the prefix 0x. */
const HASH_LENGTH = 2 + 64;
const CONSENSUS_HASH_LENGTH = 2 + 40;

/** Hex to which the prefix 0x is added, since nodes omit it in some members. */
const hex = z
  .string()
  .regex(/^(0x)?[0-9a-f]*$/)
  .transform((text) => (text.startsWith('0x') ? text : `0x${text}`));
const hash = hex.refine((text) => text.length === HASH_LENGTH);
const height = z.int().min(0).max(MAX_HEIGHT);
const transactionSchema = z.object({
  txid: hash,
  hex,
  result_hex: hex,
  post_condition_aborted: z.unknown().optional(),
  vm_error: z.unknown().optional(),
  events: z.array(z.looseObject({})),
});
const replaySchema = z.object({
  block_id: hash,
  block_hash: hash,
  block_height: height,
  parent_block_id: hash,
  consensus_hash: hex.refine((text) => text.length === CONSENSUS_HASH_LENGTH),
  transactions: z.array(transactionSchema),
});
/** The schema of the response: a list whose first item is the requested sortition. */
const sortitionsSchema = z.tuple(
  [z.object({ burn_block_height: height, burn_header_timestamp: z.int() })],
  z.unknown(),
);

/**
 * Returns the block as the body of `POST /new_block`, with its height and parent. `id` and `parent` are index block
 * hashes. `above` is the height of the block whose parent this is. Returns undefined if the node cannot replay the
 * block.
 */
export async function replayBlock(client: ServerClient, id: string, above: number) {
  const path = `/v3/blocks/replay/${id.slice(2)}`;
  const response = await client.getJson(path, { maxBytes: MAX_BLOCK_BYTES, maxValues: MAX_BLOCK_VALUES });
  if (isFailure(response)) return response;
  if (response.status === 404) return undefined;
  if (response.status === 400)
    return fail('source-invalid', `${client.baseUrl} cannot replay blocks: its configuration lacks an auth_token.`);
  const { data: replay } = replaySchema.safeParse(response.json);
  if (replay === undefined)
    return fail(
      'source-invalid',
      `${client.baseUrl} returned block ${id} in a format that this version does not know.`,
    );
  if (replay.block_id !== id || replay.block_height >= above)
    return fail(
      'source-invalid',
      `${client.baseUrl} returned block ${replay.block_id} at height ${replay.block_height}, not block ${id} below ${above}.`,
    );
  const burn = await readBurnBlock(client, replay.consensus_hash);
  if (isFailure(burn)) return burn;
  const transactions: unknown[] = [];
  for (const [index, transaction] of replay.transactions.entries()) {
    const status = statusOf(transaction);
    const contractInterface = status === 'success' ? await readInterfaceOf(client, transaction.hex) : undefined;
    if (isFailure(contractInterface)) return contractInterface;
    transactions.push({
      txid: transaction.txid,
      tx_index: index,
      status,
      raw_result: transaction.result_hex,
      raw_tx: transaction.hex,
      contract_interface: contractInterface ?? null,
    });
  }
  const parent = replay.parent_block_id;
  const block = {
    block_hash: replay.block_hash,
    block_height: replay.block_height,
    index_block_hash: id,
    parent_index_block_hash: parent,
    burn_block_height: burn.height,
    burn_block_time: burn.time,
    transactions,
    // The node numbers the events of each transaction. An observer receives them numbered within the block.
    events: replay.transactions
      .flatMap(({ events }) => events)
      .map((event, index) => ({ ...event, event_index: index })),
  };
  return { height: replay.block_height, parent, payload: JSON.stringify(block) };
}

function statusOf(transaction: z.infer<typeof transactionSchema>) {
  if (transaction.post_condition_aborted === true) return 'abort_by_post_condition';
  const hasError = typeof transaction.vm_error === 'string';
  return hasError || transaction.result_hex.startsWith(ERROR_PREFIX) ? 'abort_by_response' : 'success';
}

/** Reads the interface of a deploy; undefined for other transactions. */
async function readInterfaceOf(client: ServerClient, hex: string) {
  const decoded = decodeTransaction(hex);
  if (isFailure(decoded) || decoded.deploy === undefined) return undefined;
  const contractId = `${encodeAddress(decoded.origin)}.${decoded.deploy.contractName}`;
  const found = isContractId(contractId) ? await readInterface(client, contractId) : undefined;
  if (found === undefined || isFailure(found)) return found;
  // The node returns its current epoch, which would be mistaken for the epoch of the block.
  const { epoch: _, ...withoutEpoch } = found;
  return withoutEpoch;
}

/** Reads the height and time of the burn block of a tenure: `GET /v3/sortitions/consensus/…`. */
async function readBurnBlock(client: ServerClient, consensusHash: string) {
  const response = await client.getJson(`/v3/sortitions/consensus/${consensusHash.slice(2)}`);
  if (isFailure(response)) return response;
  const [sortition] = sortitionsSchema.safeParse(response.json).data ?? [];
  return sortition === undefined
    ? fail('source-invalid', `${client.baseUrl} does not know the burn block of ${consensusHash}.`)
    : { height: sortition.burn_block_height, time: sortition.burn_header_timestamp };
}
