// Every function and keyword of Clarity 1 to 6 with the state that its result depends on. Variables and maps keep their
// names. Assets, STX, heights and other state get names with a mark.

export const ASSET_MARK = '::';
/** The mark for the existence of a collection's tokens. Few calls change it, so the VM can track it. */
const EXISTENCE_MARK = ':exists';
export const existenceOf = (asset: string) => `${asset}${EXISTENCE_MARK}`;
/** State that the VM cannot know: STX, past blocks, sponsors, and the height of the block in which a getter is called. */
export const [STX, CHAIN, HEIGHT, BLOCK_HEIGHT, BURN_HEIGHT] = [
  '$stx',
  '$chain',
  '$height',
  '$block',
  '$burn',
] as const;
/**
 * Stands for the rule of `map` for several sequences. From epoch 4.0 on, the bundled VM and nodes have
 * different rules.
 */
export const MAP_RULE = '$map';
/** Stands for all state of a contract whose source is unknown. */
export const UNKNOWN_STATE = '$unknown';
/** State that a VM session invents. A value that depends on it is left out. */
export const INVENTED: ReadonlySet<string> = new Set([STX, CHAIN, UNKNOWN_STATE]);

/**
 * True for assets, STX, heights and other state with a mark. False for variables and maps, which only their own
 * contract can write.
 */
export function isMarked(name: string): boolean {
  return name.startsWith('$') || name.startsWith(ASSET_MARK);
}

/** The name of the code that runs during the deploy of a contract. */
export const DEPLOY = '';

/**
 * The state that each function and keyword uses, and whether a VM session knows it:
 *
 * - `pure`: The result depends on the source, the arguments and the sender, or on the network
 *   (vm/prepare-source.ts).
 * - `reads`, `writes`, `changes` (both): variables and maps, which the session replays. The first argument is the name.
 * - `asset-reads`, `asset-writes`: assets, whose owners the session has only if all calls are replayed.
 * - `stx-writes`, and `$stx`: balances of STX, which the session invents.
 * - `$chain`: other blocks, their times, hashes of the deployed code, and sponsors, which the session invents.
 * - `$height`, `$block`, `$burn`: heights, which the session gets from the archive.
 */
export const BUILTINS = {
  pure: `+ - * / >= <= < > to-int to-uint mod pow sqrti log2 xor or and not is-eq if let map fold append concat
    as-max-len? len element-at element-at? index-of index-of? buff-to-int-le buff-to-uint-le buff-to-int-be
    buff-to-uint-be is-standard principal-destruct? principal-construct? string-to-int? string-to-uint? int-to-ascii
    int-to-utf8 list tuple get merge begin hash160 sha256 sha512 sha512/256 keccak256 secp256k1-recover?
    secp256k1-verify print contract-call? as-contract contract-of principal-of? err ok some default-to asserts! unwrap!
    unwrap-err! unwrap-panic unwrap-err-panic match try! is-ok is-none is-err is-some filter bit-and bit-or bit-not
    bit-shift-left bit-shift-right bit-xor slice? to-consensus-buff? from-consensus-buff? replace-at? to-ascii?
    restrict-assets? as-contract? with-stx with-ft with-nft with-stacking with-staking with-pox with-all-assets-unsafe
    secp256r1-verify verify-merkle-proof get-bitcoin-tx-output? ed25519-verify secp256k1-decompress?
    contract-caller tx-sender none true false is-in-regtest is-in-mainnet chain-id current-contract`,
  reads: 'var-get map-get?',
  writes: 'var-set map-set',
  changes: 'map-insert map-delete',
  'asset-reads': 'nft-get-owner? ft-get-balance ft-get-supply',
  'asset-writes': 'ft-mint? ft-burn? ft-transfer? nft-mint? nft-burn? nft-transfer?',
  'stx-writes': 'stx-transfer? stx-transfer-memo? stx-burn?',
  [STX]: 'stx-get-balance stx-account stx-liquid-supply',
  [CHAIN]: `at-block get-block-info? get-burn-block-info? get-stacks-block-info? get-tenure-info? stacks-block-time
    contract-hash? tx-sponsor?`,
  [HEIGHT]: 'stacks-block-height',
  // Epoch 3.0 added `tenure-height`; `block-height` has returned the same value since then.
  [BLOCK_HEIGHT]: 'block-height tenure-height',
  [BURN_HEIGHT]: 'burn-block-height',
} as const;

export const namesOf = (kind: keyof typeof BUILTINS): string[] => BUILTINS[kind].split(/\s+/);
const setOf = (...kinds: (keyof typeof BUILTINS)[]): ReadonlySet<string> => new Set(kinds.flatMap(namesOf));

export const READS = setOf('reads', 'changes');
export const WRITES = setOf('writes', 'changes');
export const ASSET_READS = setOf('asset-reads');
export const ASSET_WRITES = setOf('asset-writes');
export const STX_WRITES = setOf('stx-writes');
/** The marked state that each built-in function or keyword reads. The key is the name of the function or keyword. */
export const CHAIN_READS: ReadonlyMap<string, string> = new Map(
  ([STX, CHAIN, HEIGHT, BLOCK_HEIGHT, BURN_HEIGHT] as const).flatMap((mark) =>
    namesOf(mark).map((name) => [name, mark] as const),
  ),
);
/** Functions that end the calling function early, with their argument as the result. */
export const EARLY_RETURNS: ReadonlySet<string> = new Set(['asserts!', 'unwrap!', 'unwrap-err!']);
