// Contract interfaces for tests, in the JSON form that an observer receives.

/** An interface without definitions. */
export const EMPTY_INTERFACE = {
  functions: [],
  variables: [],
  maps: [],
  fungible_tokens: [],
  non_fungible_tokens: [],
};

const getter = (name: string, ...types: unknown[]) => ({
  name,
  access: 'read_only',
  args: types.map((type, index) => ({ name: `a${index}`, type })),
  outputs: { type: 'bool' },
});

/** The interface of a SIP-010 token. */
export const TOKEN_INTERFACE = {
  ...EMPTY_INTERFACE,
  functions: [
    getter('transfer', 'uint128', 'principal', 'principal', { optional: { buffer: { length: 34 } } }),
    getter('get-name'),
    getter('get-symbol'),
    getter('get-decimals'),
    getter('get-balance', 'principal'),
    getter('get-total-supply'),
    getter('get-token-uri'),
  ],
  fungible_tokens: [{ name: 'coin' }],
};

/** The interface of a SIP-009 collection. */
export const COLLECTION_INTERFACE = {
  ...EMPTY_INTERFACE,
  functions: [
    getter('get-last-token-id'),
    getter('get-token-uri', 'uint128'),
    getter('get-owner', 'uint128'),
    getter('transfer', 'uint128', 'principal', 'principal'),
  ],
  non_fungible_tokens: [{ name: 'thing', type: 'uint128' }],
};

/** The interface of a SIP-013 collection. */
export const SFT_INTERFACE = {
  ...EMPTY_INTERFACE,
  functions: [
    getter('get-balance', 'uint128', 'principal'),
    getter('get-overall-balance', 'principal'),
    getter('get-total-supply', 'uint128'),
    getter('get-overall-supply'),
    getter('get-decimals', 'uint128'),
    getter('get-token-uri', 'uint128'),
    getter('transfer', 'uint128', 'uint128', 'principal', 'principal'),
    getter('transfer-memo', 'uint128', 'uint128', 'principal', 'principal', { buffer: { length: 34 } }),
  ],
  fungible_tokens: [{ name: 'part' }],
};
