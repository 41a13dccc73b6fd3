// Names for the state that functions read and write. Variables and maps keep their names; the names of assets, STX,
// heights and other state have a mark.

export const ASSET_MARK = '::';
/** Mark for the existence of non-fungible tokens. Few calls of a collection change it, so it can be tracked. */
const EXISTENCE_MARK = ':exists';
export const existenceOf = (asset: string) => `${asset}${EXISTENCE_MARK}`;
/** State that the VM cannot know: STX, past blocks, and the height at which a getter is called. */
export const [STX, CHAIN, HEIGHT, BLOCK_HEIGHT, BURN_HEIGHT] = [
  '$stx',
  '$chain',
  '$height',
  '$block',
  '$burn',
] as const;
/**
 * State read by code that maps over several sequences, for which the bundled VM and a node differ from epoch 4.0 on.
 */
export const MAP_RULE = '$map';
/** State of a contract whose source is unknown. */
export const UNKNOWN_STATE = '$unknown';

/**
 * True for assets, STX, heights and other marked state. False for a variable, which only functions of its contract
 * write.
 */
export function isMarked(name: string): boolean {
  return name.startsWith('$') || name.startsWith(ASSET_MARK);
}

/** Name of the code that runs when the contract is deployed. */
export const DEPLOY = '';

export const READS: ReadonlySet<string> = new Set(['var-get', 'map-get?', 'map-insert', 'map-delete']);
export const ASSET_READS: ReadonlySet<string> = new Set(['nft-get-owner?', 'ft-get-balance', 'ft-get-supply']);
export const WRITES: ReadonlySet<string> = new Set(['var-set', 'map-set', 'map-insert', 'map-delete']);
export const ASSET_WRITES: ReadonlySet<string> = new Set(
  ['mint?', 'burn?', 'transfer?'].flatMap((verb) => [`ft-${verb}`, `nft-${verb}`]),
);
export const STX_WRITES: ReadonlySet<string> = new Set(['stx-transfer?', 'stx-transfer-memo?', 'stx-burn?']);
/** The marked state that functions and keywords read. */
export const SHOWN: ReadonlyMap<string, string> = new Map([
  ...['stx-get-balance', 'stx-account', 'stx-liquid-supply'].map((name) => [name, STX] as const),
  ...['at-block', 'get-block-info?', 'get-burn-block-info?', 'get-stacks-block-info?', 'get-tenure-info?'].map(
    (name) => [name, CHAIN] as const,
  ),
  ...['stacks-block-time', 'contract-hash?'].map((name) => [name, CHAIN] as const),
  ['stacks-block-height', HEIGHT],
  ['block-height', BLOCK_HEIGHT],
  // Added in epoch 3.0; `block-height` returns the same value since then.
  ['tenure-height', BLOCK_HEIGHT],
  ['burn-block-height', BURN_HEIGHT],
]);
/** Functions that return early with their argument. */
export const ENDS: ReadonlySet<string> = new Set(['asserts!', 'unwrap!', 'unwrap-err!']);
