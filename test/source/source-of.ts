// Starts an API with a node on loopback, and defines the contract of a token that tests request.
import { expect } from 'vitest';
import { chainListener, chainOf, type LiveContract } from '../support/chain-listener.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { serverClient } from '../support/server-client.ts';

export const ADDRESS = 'SP000000000000000000002Q6VF78';
export const TOKEN = `${ADDRESS}.token`;
export const CONTRACT: LiveContract = { contractId: TOKEN, sourceCode: '(ok "ü")', abi: TOKEN_INTERFACE };

/** The failure that tests expect for an invalid response about the token. */
export const SOURCE_INVALID = { code: 'source-invalid', message: expect.stringContaining(TOKEN), retryable: true };

/**
 * Starts an API with these contracts. Returns a client of the API, and a list of the requests that the API receives.
 */
export async function sourceOf(...contracts: LiveContract[]) {
  const server = await loopbackServer(chainListener(chainOf(contracts, { tipHeight: 200, networkId: 2147483648 })));
  return { client: serverClient(server.url), requests: server.requests };
}
