// Makes the Clarity sources of tokens for tests that index them.

/** Returns the source of a token. `getters` replaces the expressions that some getters return. */
export function tokenSource(getters: Readonly<Record<string, string>> = {}): string {
  const all = {
    'get-name': '(ok "Live")',
    'get-symbol': '(ok "LIV")',
    'get-decimals': '(ok u6)',
    'get-total-supply': '(ok u1000)',
    'get-token-uri': '(ok none)',
    ...getters,
  };
  const definitions = Object.entries(all).map(([name, body]) => `(define-read-only (${name}) ${body})`);
  return `(define-fungible-token coin)\n${definitions.join('\n')}`;
}
