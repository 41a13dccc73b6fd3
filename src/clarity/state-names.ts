// Names of the state that functions read and write: variables and maps by their own names; assets, STX, heights and
// other state with a mark.

export const ASSET_MARK = '::';
/** Mark for the existence of non-fungible tokens: few calls to a collection change it, so they can be followed. */
const EXISTENCE_MARK = ':exists';
export const existenceOf = (asset: string) => `${asset}${EXISTENCE_MARK}`;
/** State that the VM cannot know: STX, past blocks, the height at which a getter is called. */
export const [STX, CHAIN, HEIGHT, BLOCK_HEIGHT, BURN_HEIGHT] = [
  '$stx',
  '$chain',
  '$height',
  '$block',
  '$burn',
] as const;
/** Read by code that maps over several sequences: the bundled VM and a node differ there from epoch 4.0 on. */
export const MAP_RULE = '$map';
/** State of a contract whose source is unknown. */
export const UNKNOWN_STATE = '$unknown';

/** True for assets, STX and heights; false for a contract variable, which only functions of its contract write. */
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
/** Functions and keywords that reveal marked state. */
export const SHOWN: ReadonlyMap<string, string> = new Map([
  ...['stx-get-balance', 'stx-account', 'stx-liquid-supply'].map((name) => [name, STX] as const),
  ...['at-block', 'get-block-info?', 'get-burn-block-info?', 'get-stacks-block-info?', 'get-tenure-info?'].map(
    (name) => [name, CHAIN] as const,
  ),
  ...['stacks-block-time', 'contract-hash?'].map((name) => [name, CHAIN] as const),
  ['stacks-block-height', HEIGHT],
  ['block-height', BLOCK_HEIGHT],
  // It came with epoch 3.0, and since then `block-height` is the same.
  ['tenure-height', BLOCK_HEIGHT],
  ['burn-block-height', BURN_HEIGHT],
]);
/** Functions that return early with their argument. */
export const ENDS: ReadonlySet<string> = new Set(['asserts!', 'unwrap!', 'unwrap-err!']);
