// Contract interfaces for tests, as an observer sends them.

/** An interface that defines nothing. */
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
