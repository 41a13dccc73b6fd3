// This script writes an event archive as busy as mainnet's: node scripts/bench/make-busy-chain.ts FILE [--megabytes N]
// [--without-calls]
// Of 100 transactions one is a deploy. The others are calls (transfers, and swaps with two tokens as trait arguments)
// and STX transfers, each with post-conditions and three events. One call in 2,000 sets a token's URI, which may change
// the result of a getter, and one transfer in ten mints. JSON is formatted like Postgres's jsonb. `--without-calls`
// omits the transactions that an index does not store. Its output is deterministic.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { c32address } from 'c32check';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../test/support/interfaces.ts';
import { Random } from '../../test/support/random.ts';
import { tokenSource } from '../../test/support/token-source.ts';
import {
  addressBytes,
  callPayload,
  deployJson,
  hashOf,
  type Json,
  shortText,
  transactionJson,
  u32,
} from '../../test/support/transactions.ts';
import { BLOCKS_PER_BURN_BLOCK, blockOf, jsonb, type Transacted } from './observed-block.ts';
import { hex, NONE, principal, text, tuple, uint, type Value } from './observed-value.ts';
import { plainContract, sourceBytes } from './synthetic-contract.ts';

const TRANSACTIONS_PER_BLOCK = 50;
const TRANSACTIONS_PER_DEPLOY = 100;
const DEPLOYS_PER_TOKEN = 10;
const CALLS_PER_SETTER = 2_000;
const USERS = 2_000;
/** The number of deploys before the first call, which needs them: the trait, the contract that swaps, and a token. */
const FIRST_DEPLOYS = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    megabytes: { type: 'string', default: '1000' },
    'without-calls': { type: 'boolean', default: false },
  },
});
const [file] = positionals;
const bytes = Number(values.megabytes) * 1e6;
if (file === undefined || !(bytes > 0)) {
  console.error('usage: node scripts/bench/make-busy-chain.ts FILE [--megabytes N] [--without-calls]');
  process.exit(1);
}

const random = new Random(1);
const next = () => random.below(2 ** 32) / 2 ** 32;
const users = Array.from({ length: USERS }, (_, index) => c32address(22, hashOf(`user ${index}`).slice(2, 42)));
const [dexOwner] = users as [string];
const trait = `${dexOwner}.trait`;
const dex = `${dexOwner}.swap-router-v1-2`;
const tokens: string[] = [];
let deploys = 0;

const TRAIT_SOURCE =
  '(define-trait ft ((transfer (uint principal principal (optional (buff 34))) (response bool uint))))\n';
const DEX_SOURCE = `(use-trait ft .trait.ft)
(define-map reserves principal uint)
(define-public (swap-exact-tokens (amount uint) (least uint) (token-in <ft>) (token-out <ft>))
  (begin
    (map-set reserves (contract-of token-in) (+ amount (default-to u0 (map-get? reserves (contract-of token-in)))))
    (try! (contract-call? token-in transfer amount tx-sender (as-contract tx-sender) none))
    (as-contract (contract-call? token-out transfer least tx-sender contract-caller none))))
`;

function sourceOfToken(index: number): string {
  const getters = {
    'get-name': `(ok "Token ${index}")`,
    'get-total-supply': '(ok (ft-get-supply coin))',
    'get-token-uri': '(ok (var-get uri))',
  };
  return `${tokenSource(getters)}
(define-data-var owner principal tx-sender)
(define-data-var uri (optional (string-utf8 256)) none)
(define-public (set-token-uri (value (string-utf8 256)))
  (begin (asserts! (is-eq tx-sender (var-get owner)) (err u401)) (ok (var-set uri (some value)))))
(define-public (transfer (amount uint) (from principal) (to principal) (memo (optional (buff 34))))
  (begin (asserts! (is-eq tx-sender from) (err u4)) (try! (ft-transfer? coin amount from to)) (ok true)))
`;
}

const call = (contractId: string, functionName: string, ...args: Value[]): Buffer =>
  callPayload(contractId, functionName, ...args.map(({ bytes }) => bytes));

/** Returns a post-condition: the sender sends at most this amount of a fungible token. */
function maxSent(token: string, amount: number): Buffer {
  const [address = '', name = ''] = token.split('.');
  const asset = [addressBytes(address), shortText(name), shortText('coin')];
  return Buffer.concat([Buffer.from([1, 1]), ...asset, Buffer.from([5]), u32(0), u32(amount)]);
}

const event = (type: string, data: Json): Json => ({ type, [type]: data });

const transferred = (from: string, to: string, token: string, amount: number): Json =>
  event('ft_transfer_event', {
    amount: String(amount),
    sender: from,
    recipient: to,
    asset_identifier: `${token}::coin`,
  });

const sent = (from: string, to: string, amount: number): Json =>
  event('stx_transfer_event', { memo: '', amount: String(amount), sender: from, recipient: to });

const printed = (contract_identifier: string, value: Value): Json =>
  event('contract_event', { topic: 'print', value: value.json, raw_value: hex(value), contract_identifier });

const minted = (recipient: string, token: string, amount: number): Json =>
  event('ft_mint_event', { amount: String(amount), recipient, asset_identifier: `${token}::coin` });

const nftSent = (sender: string, recipient: string, id: number): Json => {
  const [{ json: value }, raw_value] = [uint(id), hex(uint(id))];
  const asset_identifier = `${dexOwner}.some-collection::item`;
  return event('nft_transfer_event', { value, sender, raw_value, recipient, asset_identifier });
};

interface Made extends Pick<Transacted, 'transaction' | 'events'> {
  /** True if an index stores data of the transaction. */
  readonly isStored: boolean;
}

function deployed(index: number): Made {
  const deploy = (id: string, source: string, contractInterface: unknown, ...events: Json[]): Made => {
    return { transaction: deployJson(id, source, { interface: contractInterface }), events, isStored: true };
  };
  if (index === 0) return deploy(trait, TRAIT_SOURCE, EMPTY_INTERFACE);
  if (index === 1) return deploy(dex, DEX_SOURCE, EMPTY_INTERFACE);
  const name = `contract-${index}`;
  const owner = random.pick(users);
  const id = `${owner}.${name}`;
  if (index % DEPLOYS_PER_TOKEN === 2) {
    tokens.push(id);
    const events = [minted(owner, id, 1_000_000), printed(id, uint(index)), minted(owner, id, 5)];
    return deploy(id, sourceOfToken(index), TOKEN_INTERFACE, ...events);
  }
  const contract = plainContract({ comment: name, prefix: 'function', bytes: sourceBytes(next), random: next });
  return deploy(id, contract.source, contract.contractInterface);
}

function called(): Made {
  const [from, to] = [random.pick(users), random.pick(users)];
  const amount = random.below(1e9);
  const [first, second] = [random.pick(tokens), random.pick(tokens)];
  if (random.chance(0.2)) {
    const payload = Buffer.concat([Buffer.from([0]), principal(to).bytes, u32(0), u32(amount), Buffer.alloc(34)]);
    const events = [sent(from, to, amount), sent(from, to, 1), sent(to, from, 1)];
    return { transaction: transactionJson(payload, { by: from }), events, isStored: false };
  }
  if (random.chance(1 / CALLS_PER_SETTER)) {
    const owner = first.split('.')[0] as string;
    const uri = text(`https://tokens.example/${amount}.json`);
    // Changes the type from string-ascii to string-utf8, which is encoded in the same way.
    uri.bytes[0] = 0x0e;
    const events = [sent(owner, to, 1), sent(to, owner, 1), printed(first, uri)];
    return { transaction: transactionJson(call(first, 'set-token-uri', uri), { by: owner }), events, isStored: true };
  }
  if (random.chance(0.5)) {
    const print = printed(first, tuple({ action: text('transfer'), amount: uint(amount), sender: principal(from) }));
    const payload = call(first, 'transfer', uint(amount), principal(from), principal(to), NONE);
    const isMint = random.chance(0.1);
    const last = isMint ? minted(to, first, 1) : random.chance(0.3) ? nftSent(from, to, amount) : sent(from, to, 1);
    const events = [transferred(from, to, first, amount), print, last];
    return {
      transaction: transactionJson(payload, { by: from, postConditions: [maxSent(first, amount)] }),
      events,
      isStored: isMint,
    };
  }
  const swap = tuple({
    dx: uint(amount),
    dy: uint(amount + 1),
    action: text('swap-x-for-y'),
    sender: principal(from),
    'token-x': principal(first),
    'token-y': principal(second),
  });
  const payload = call(dex, 'swap-exact-tokens', uint(amount), uint(1), principal(first), principal(second));
  const events = [transferred(from, dex, first, amount), transferred(dex, from, second, amount), printed(dex, swap)];
  const transaction = transactionJson(payload, {
    by: from,
    postConditions: [maxSent(first, amount), maxSent(second, amount)],
  });
  return { transaction, events, isStored: true };
}

function madeAt(height: number) {
  return Array.from({ length: TRANSACTIONS_PER_BLOCK }, (_, place) => {
    const number = height * TRANSACTIONS_PER_BLOCK + place;
    const isDeploy = deploys < FIRST_DEPLOYS || number % TRANSACTIONS_PER_DEPLOY === 0;
    const made = isDeploy ? deployed(deploys++) : called();
    return { ...made, isFailed: !made.isStored && random.chance(0.05) };
  });
}

let lines = 0;

/** Returns a line in the COPY form. */
function line(path: string, payload: Json): string {
  return `${++lines}\t2024-06-14 00:00:00.000000+00\t${path}\t${jsonb(payload).replaceAll('\\', '\\\\')}\n`;
}

function* archive(): Generator<string> {
  for (let height = 0, length = 0; length < bytes; height++) {
    const made = madeAt(height);
    const recipient = users[height % USERS] as string;
    const complete = line('/new_block', blockOf(height, made, recipient));
    // Counts omitted transactions too, so that archives with and without calls have the same blocks.
    length += complete.length;
    const needed = made.filter(({ isStored }) => isStored);
    yield values['without-calls'] ? line('/new_block', blockOf(height, needed, recipient)) : complete;
    if (height % BLOCKS_PER_BURN_BLOCK === 0) yield line('/new_burn_block', { burn_block_height: height });
  }
}

await writeFile(file, archive());
