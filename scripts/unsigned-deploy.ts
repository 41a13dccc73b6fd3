// Makes deploy transactions that nobody signed, for chains of any size: what is read of a transaction are its bytes.
import { createHash } from 'node:crypto';
import { c32addressDecode } from 'c32check';

const SINGLE_SIG_VERSION = 22;
const SINGLE_SIG = 0x00;
const MULTI_SIG = 0x01;

export interface ObservedDeploy {
  readonly txid: string;
  readonly raw_tx: string;
  readonly status: 'success';
  readonly tx_index: number;
  readonly raw_result: string;
  readonly contract_interface: unknown;
}

/** As an event observer stores it, on mainnet; the address of the contract is that of the origin. */
export function unsignedDeploy(
  contractId: string,
  source: string,
  index: number,
  contractInterface: unknown,
): ObservedDeploy {
  const [address = '', name = ''] = contractId.split('.');
  const [version, hash160] = c32addressDecode(address);
  const isSingle = version === SINGLE_SIG_VERSION;
  const code = Buffer.from(source);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(code.length);
  const raw = Buffer.concat([
    // Version, chain id 1, standard authorization, hash mode.
    Buffer.from([0, 0, 0, 0, 1, 4, isSingle ? SINGLE_SIG : MULTI_SIG]),
    Buffer.from(hash160, 'hex'),
    // Nonce and fee.
    Buffer.alloc(16),
    // A key encoding and a signature, or no fields and none required.
    isSingle ? Buffer.alloc(66) : Buffer.alloc(6),
    // Anchor mode, post-condition mode, no post-conditions, an unversioned deploy.
    Buffer.from([3, 1, 0, 0, 0, 0, 1]),
    Buffer.from([name.length]),
    Buffer.from(name),
    length,
    code,
  ]);
  return {
    txid: `0x${createHash('sha512-256').update(raw).digest('hex')}`,
    raw_tx: `0x${raw.toString('hex')}`,
    status: 'success',
    tx_index: index,
    raw_result: '0x0703',
    contract_interface: contractInterface,
  };
}

/** A line of an archive: a block of deploys on top of the one before, from `forkedAt` on one of a fork. */
export function blockOfDeploys(
  height: number,
  transactions: readonly ObservedDeploy[],
  forkedAt = Number.POSITIVE_INFINITY,
): string {
  const hash = (at: number) =>
    `0x${createHash('sha256')
      .update(`block ${at}${at >= forkedAt ? ' of the fork' : ''}`)
      .digest('hex')}`;
  const block = {
    block_height: height,
    index_block_hash: hash(height),
    parent_index_block_hash: hash(height - 1),
    burn_block_height: 800_000 + height,
    burn_block_time: 1_700_000_000 + 600 * height,
    events: [],
    transactions,
  };
  return `${height}\t2024-01-01T00:00:00.000Z\t/new_block\t${JSON.stringify(block)}\n`;
}
