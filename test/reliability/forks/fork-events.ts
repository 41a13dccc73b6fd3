// Converts the blocks of random trees to chain events, and finds the name of a block or deploy by its hash.
import type { BlockEvent } from '#model/chain-event.ts';
import { block } from '../../support/chain-index.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { tokenSource } from '../../support/token-source.ts';
import {
  ADDRESS,
  type BlockOptions,
  blockLine,
  burnEvent,
  callJson,
  deployJson,
  hashOf,
  type Json,
  mintEvent,
  notificationOf,
} from '../../support/transactions.ts';
import type { ForkBlock } from './arrivals.ts';

export const ASSET = `${ADDRESS}.k0::coin`;

const names = new Map<string, string>();
const deploys = new Map<string, Json>();
const call = callJson();
const notifications = new Map<string, ReturnType<typeof notificationOf>>();

/** Burn heights of mainnet: the early one in epoch 2.05, the late one in epoch 2.4. */
const EARLY_BURN_HEIGHT = 780_000;
const LATE_BURN_HEIGHT = 800_000;
export const UPDATE_MODES = { s: 'standard', f: 'frozen', d: 'dynamic' } as const;

export function eventOf(forkBlock: ForkBlock): BlockEvent {
  const event = block(describe(forkBlock));
  if (event.kind !== 'block') throw new Error('the event is not a block');
  return event;
}

/** Returns the line of an archive with a block. */
export function lineOf(forkBlock: ForkBlock): string {
  return blockLine(describe(forkBlock));
}

/** Returns the name of the block or deploy with this hash. */
export function nameOf(hash: string): string {
  return names.get(hash) ?? hash;
}

export function contractIdOf(contract: string): string {
  return `${ADDRESS}.${contract}`;
}

export function contractOf(contractId: string): string {
  return contractId.slice(ADDRESS.length + 1);
}

function describe({ name, height, parent, deploy, minted, notice, isLate }: ForkBlock): BlockOptions {
  names.set(hashOf(name), name);
  const notified = notice === undefined ? undefined : notificationFrom(notice);
  return {
    id: name,
    parent,
    height,
    burnHeight: isLate ? LATE_BURN_HEIGHT : EARLY_BURN_HEIGHT,
    transactions: [
      call,
      ...(deploy === undefined ? [] : [transactionOf(deploy)]),
      ...(notified === undefined ? [] : [notified.transaction]),
    ],
    events: [
      ...(minted === undefined ? [] : [supplyEvent(call, minted)]),
      ...(notified === undefined ? [] : [notified.event]),
    ],
  };
}

function supplyEvent({ txid }: Json, minted: number): Json {
  return minted < 0 ? burnEvent(txid, ASSET, String(-minted)) : mintEvent(txid, ASSET, String(minted));
}

/**
 * The contract that provides the names of all other contracts. The other contracts are tokens, and may be deployed
 * before the library.
 */
export const LIBRARY = 'k0';

function librarySource(nonce: string): string {
  return `(define-read-only (name) "Name ${nonce}")`;
}

function sourceOf(nonce: string): string {
  return tokenSource({
    'get-name': `(ok (contract-call? .${LIBRARY} name))`,
    'get-symbol': `(ok "S${nonce}")`,
    'get-total-supply': '(ok (ft-get-supply coin))',
  });
}

function notificationFrom(notice: string) {
  let notification = notifications.get(notice);
  if (notification === undefined) {
    const mode = UPDATE_MODES[notice.slice(-1) as keyof typeof UPDATE_MODES];
    notification = notificationOf(contractIdOf(notice.slice(0, -1)), notifications.size + 100, mode);
    notifications.set(notice, notification);
  }
  return notification;
}

function transactionOf(deploy: string): Json {
  let transaction = deploys.get(deploy);
  if (transaction === undefined) {
    const [contract, nonce] = deploy.split('.') as [string, string];
    const isToken = contract !== LIBRARY;
    transaction = deployJson(contract, isToken ? sourceOf(nonce) : librarySource(nonce), {
      nonce: Number(nonce),
      interface: isToken ? TOKEN_INTERFACE : EMPTY_INTERFACE,
    });
    deploys.set(deploy, transaction);
    names.set(String(transaction.txid), deploy);
  }
  return transaction;
}
