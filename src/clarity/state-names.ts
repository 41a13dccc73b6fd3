// Names of what functions read and write: variables and maps by their own names, and with a mark what is no variable of a
// contract, such as its assets, STX and heights.

export const ASSET_MARK = '::';
/** Of which non-fungible tokens there are: so few calls change that, of a collection, that they can be followed. */
export const EXISTENCE_MARK = ':exists';
export const existenceOf = (asset: string) => `${asset}${EXISTENCE_MARK}`;
export const isExistence = (name: string): boolean => name.endsWith(EXISTENCE_MARK);
/** What the VM cannot know: STX, blocks of the past, the height at which a getter is called. */
export const [STX, CHAIN, HEIGHT, BLOCK_HEIGHT, BURN_HEIGHT] = [
  '$stx',
  '$chain',
  '$height',
  '$block',
  '$burn',
] as const;
/** What a contract holds whose source is not known. */
export const UNKNOWN_STATE = '$unknown';

/** Whether it is no variable of a contract, which calls of its functions write: an asset, STX, heights. */
export function isMarked(name: string): boolean {
  return name.startsWith('$') || name.startsWith(ASSET_MARK);
}

/** The name of what runs when the contract is deployed. */
export const DEPLOY = '';

export const READS: ReadonlySet<string> = new Set(['var-get', 'map-get?', 'map-insert', 'map-delete']);
export const ASSET_READS: ReadonlySet<string> = new Set(['nft-get-owner?', 'ft-get-balance', 'ft-get-supply']);
export const WRITES: ReadonlySet<string> = new Set(['var-set', 'map-set', 'map-insert', 'map-delete']);
export const ASSET_WRITES: ReadonlySet<string> = new Set(
  ['mint?', 'burn?', 'transfer?'].flatMap((verb) => [`ft-${verb}`, `nft-${verb}`]),
);
export const STX_WRITES: ReadonlySet<string> = new Set(['stx-transfer?', 'stx-transfer-memo?', 'stx-burn?']);
/** Functions and keywords that show what is no variable. */
export const SHOWN: ReadonlyMap<string, string> = new Map([
  ...['stx-get-balance', 'stx-account', 'stx-liquid-supply'].map((name) => [name, STX] as const),
  ...['at-block', 'get-block-info?', 'get-burn-block-info?', 'get-stacks-block-info?', 'get-tenure-info?'].map(
    (name) => [name, CHAIN] as const,
  ),
  ...['stacks-block-time', 'tenure-height', 'contract-hash?'].map((name) => [name, CHAIN] as const),
  ['stacks-block-height', HEIGHT],
  ['block-height', BLOCK_HEIGHT],
  ['burn-block-height', BURN_HEIGHT],
]);
