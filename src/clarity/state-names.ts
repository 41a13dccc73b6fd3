// Names for the state that functions read and write. Variables and maps keep their names. Assets, STX, heights and
// other state get names with a mark.

export const ASSET_MARK = '::';
/** The mark for the existence of a collection's tokens. Few calls change it, so the VM can track it. */
const EXISTENCE_MARK = ':exists';
export const existenceOf = (asset: string) => `${asset}${EXISTENCE_MARK}`;
/** State that the VM cannot know: STX, past blocks, and the height of the block in which a getter is called. */
export const [STX, CHAIN, HEIGHT, BLOCK_HEIGHT, BURN_HEIGHT] = [
  '$stx',
  '$chain',
  '$height',
  '$block',
  '$burn',
] as const;
/**
 * Stands for the rule by which `map` reads several sequences. From epoch 4.0 on, the bundled VM and nodes have
 * different rules.
 */
export const MAP_RULE = '$map';
/** Stands for all state of a contract whose source is unknown. */
export const UNKNOWN_STATE = '$unknown';

/**
 * True for assets, STX, heights and other state with a mark. False for variables and maps, which only their own
 * contract can write.
 */
export function isMarked(name: string): boolean {
  return name.startsWith('$') || name.startsWith(ASSET_MARK);
}

/** The name of the code that runs during the deploy of a contract. */
export const DEPLOY = '';

export const READS: ReadonlySet<string> = new Set(['var-get', 'map-get?', 'map-insert', 'map-delete']);
export const ASSET_READS: ReadonlySet<string> = new Set(['nft-get-owner?', 'ft-get-balance', 'ft-get-supply']);
export const WRITES: ReadonlySet<string> = new Set(['var-set', 'map-set', 'map-insert', 'map-delete']);
export const ASSET_WRITES: ReadonlySet<string> = new Set(
  ['mint?', 'burn?', 'transfer?'].flatMap((verb) => [`ft-${verb}`, `nft-${verb}`]),
);
export const STX_WRITES: ReadonlySet<string> = new Set(['stx-transfer?', 'stx-transfer-memo?', 'stx-burn?']);
/** The marked state that each built-in function or keyword reads. The key is the name of the function or keyword. */
export const SHOWN: ReadonlyMap<string, string> = new Map([
  ...['stx-get-balance', 'stx-account', 'stx-liquid-supply'].map((name) => [name, STX] as const),
  ...['at-block', 'get-block-info?', 'get-burn-block-info?', 'get-stacks-block-info?', 'get-tenure-info?'].map(
    (name) => [name, CHAIN] as const,
  ),
  ...['stacks-block-time', 'contract-hash?'].map((name) => [name, CHAIN] as const),
  ['stacks-block-height', HEIGHT],
  ['block-height', BLOCK_HEIGHT],
  // Epoch 3.0 added `tenure-height`; `block-height` has returned the same value since then.
  ['tenure-height', BLOCK_HEIGHT],
  ['burn-block-height', BURN_HEIGHT],
]);
/** Functions that end the calling function early, with their argument as the result. */
export const ENDS: ReadonlySet<string> = new Set(['asserts!', 'unwrap!', 'unwrap-err!']);
