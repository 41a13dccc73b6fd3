// Makes archives of chains that a third party could produce cheaply. A parameter sets the size of each chain.

import { Cl, type ClarityValue } from '@stacks/transactions';
import { c32address } from 'c32check';
import { COLLECTION_INTERFACE, EMPTY_INTERFACE, SFT_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';
import { tokenSource } from '../support/token-source.ts';
import {
  callPayload,
  deployJson,
  hashOf,
  type Json,
  lineAt,
  printEvent,
  type Transaction,
  transactionJson,
  u32,
  valueBytes,
} from '../support/transactions.ts';

const each = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** Serializes a list that contains only `true`, since the library cannot serialize lists of this length. */
const trueList = (length: number) => Buffer.concat([Buffer.from([11]), u32(length), Buffer.alloc(length, 3)]);

/** The transactions and events of a block. */
interface Content {
  readonly transactions: readonly Transaction[];
  readonly events?: readonly Json[];
}

/** Makes the blocks of a chain. */
interface Chain {
  readonly size: number;
  readonly make: (size: number) => readonly Content[];
}

const SHOWS_URI = { 'get-token-uri': '(ok (some (var-get uri)))' };
const WRITES = '(ok (var-set uri "y"))';
const names = (count: number) => each(count, (at) => `.c${at}`).join(' ');

const chain = (...blocks: readonly Content[]) => blocks;

/** Returns the chains by name. Their contracts belong to this address. */
function chainsOf(address: string): Readonly<Record<string, Chain>> {
  const idOf = (name: string) => `${address}.${name}`;
  const deploy = (name: string, source: string, contractInterface: unknown = EMPTY_INTERFACE) =>
    deployJson(idOf(name), source, { interface: contractInterface });
  const call = (name: string, functionName: string, ...args: readonly Buffer[]) =>
    transactionJson(callPayload(idOf(name), functionName, ...args), { by: address });

  const token = (body: string, getters = {}) =>
    deploy('token', `(define-data-var uri (string-ascii 9) "x")${tokenSource(getters)}${body}`, TOKEN_INTERFACE);

  function mint(txid: string, value: ClarityValue): Json {
    const asset = {
      asset_identifier: `${idOf('token')}::thing`,
      recipient: address,
      raw_value: `0x${Cl.serialize(value)}`,
    };
    return { txid, type: 'nft_mint_event', nft_mint_event: asset };
  }

  return {
    'a constant that names contracts, and functions that use it': {
      size: 2_000,
      make: (size) =>
        chain({
          transactions: [
            token(
              `(define-constant c (is-eq ${names(size)}))
            ${each(4, (at) => `(define-public (f${at}) (ok (list ${'c '.repeat(size)})))`).join('')}`,
            ),
          ],
        }),
    },
    'calls of a function that names contracts and calls traits': {
      size: 50,
      make: (size) => {
        const functions = each(90, (at) => `(f${at} () (response bool uint))`).join(' ');
        const calls = each(90, (at) => `(try! (contract-call? x f${at}))`).join(' ');
        const body = `(define-trait tr (${functions}))
        (define-public (f (x <tr>)) (begin ${calls} (print (list ${names(4_000)})) ${WRITES}))`;
        return chain(
          { transactions: [token(body, SHOWS_URI)] },
          { transactions: each(size, (at) => call('token', 'f', valueBytes(Cl.principal(idOf(`other-${at}`))))) },
        );
      },
    },
    'a list as an argument': {
      size: 200_000,
      make: (size) =>
        chain(
          { transactions: [token(`(define-public (f (x (list 400000 bool))) ${WRITES})`, SHOWS_URI)] },
          { transactions: each(2, () => call('token', 'f', trueList(size / 2))) },
        ),
    },
    'calls of a token': {
      size: 2_000,
      make: (size) =>
        chain(
          { transactions: [token(`(define-public (f (x uint)) ${WRITES})`, SHOWS_URI)] },
          { transactions: each(size, (at) => call('token', 'f', valueBytes(Cl.uint(at)))) },
        ),
    },
    'deploys and events in one block': {
      size: 1_000,
      make: (size) => {
        const transactions = each(size, (at) => deploy(`c${at}`, `(define-constant c u${at})`));
        const text = Cl.stringAscii('a'.repeat(500));
        // These events have the ids of transactions that are not in the block.
        const events = each(5 * size, (at) => printEvent(hashOf(at), idOf('c0'), text));
        return chain({ transactions, events });
      },
    },
    'contracts with one source': {
      size: 2_000,
      make: (size) =>
        chain({
          transactions: each(size, (at) => deploy(`c${at}`, '(define-public (f) (contract-call? .c0 g))')),
        }),
    },
    'contracts with one name': {
      size: 2_000,
      make: (size) =>
        chain({
          transactions: each(size, (at) =>
            deployJson(`${c32address(22, at.toString(16).padStart(40, '0'))}.name`, `(define-constant c u${at})`, {
              interface: EMPTY_INTERFACE,
            }),
          ),
        }),
    },
    'tokens of a collection with one template': {
      size: 4_000,
      make: (size) => {
        const uri = '(ok (some "data:application/json,%7B%22name%22:%22Thing {id}%22%7D"))';
        const source = `(define-non-fungible-token thing uint)(define-read-only (get-token-uri (id uint)) ${uri})
        (define-read-only (get-last-token-id) (ok u1))(define-read-only (get-owner (id uint)) (ok none))
        (define-public (transfer (id uint) (a principal) (b principal)) (ok true))`;
        const minting = call('token', 'mint');
        return chain(
          { transactions: [deploy('token', source, COLLECTION_INTERFACE)] },
          { transactions: [minting], events: each(size, (at) => mint(minting.txid, Cl.uint(at))) },
        );
      },
    },
    'tokens of a semi-fungible collection': {
      size: 2_000,
      make: (size) => {
        const source = `(define-fungible-token part)(define-non-fungible-token held {id: uint, owner: principal})
        (define-read-only (get-token-uri (id uint)) (ok (if (is-eq id u1) none (some "data:,{}"))))
        (define-read-only (get-decimals (id uint)) (ok (if (is-eq id u1) u1 u0)))
        (define-read-only (get-total-supply (id uint)) (ok id))
        (define-read-only (get-overall-supply) (ok u1))(define-read-only (get-balance (id uint) (a principal)) (ok u1))
        (define-read-only (get-overall-balance (a principal)) (ok u1))
        (define-public (transfer (id uint) (n uint) (a principal) (b principal)) (ok true))
        (define-public (transfer-memo (id uint) (n uint) (a principal) (b principal) (m (buff 34))) (ok true))`;
        const minting = call('token', 'mint');
        const minted = (at: number) =>
          Cl.tuple({ type: Cl.stringAscii('sft_mint'), 'token-id': Cl.uint(at), amount: Cl.uint(1) });
        const events = each(size, (at) => printEvent(minting.txid, idOf('token'), minted(at)));
        return chain({ transactions: [deploy('token', source, SFT_INTERFACE)] }, { transactions: [minting], events });
      },
    },
  };
}

export const CHAINS = Object.keys(chainsOf(''));

/** Returns an archive with these chains one after the other, each `factor` times as long as usual. */
export function archiveOf(names: readonly string[], factor: number): string {
  const contents = names.flatMap((name, index) => {
    const { size, make } = chainsOf(c32address(22, `a${index}`.padEnd(40, '0')))[name] as Chain;
    return make(Math.ceil(size * factor));
  });
  const blocks = contents.map(({ transactions, events = [] }, height) => {
    const ordered = events.map((event, index) => ({ committed: true, ...event, event_index: index }));
    return lineAt(height, transactions, { events: ordered });
  });
  return blocks.join('');
}
