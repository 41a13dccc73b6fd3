// Reads paths of one server, politely: what fails is asked for again, until the server is given up.

import { type Failure, isFailure } from '#model/failure.ts';
import { PoliteHost, type ServerOptions } from './polite-host.ts';
import { failOfStatus, type HttpResponse } from './send-request.ts';

const ATTEMPTS = 4;
const MAX_BYTES = 20_000_000;
/** With these a server says something about itself. */
const isOwnTrouble = (status: number) => status === 429 || status === 408 || status >= 500;

export type PoliteReader = ReturnType<typeof openReader>;

export function openReader(options: ServerOptions & { readonly headers: Readonly<Record<string, string>> }) {
  const { headers, signal } = options;
  const server = new PoliteHost(options);
  return {
    /** `path`: without a slash at its beginning. `check` says what is wrong with an answer that has come. */
    async read(
      path: string,
      check: (response: HttpResponse) => Failure | undefined = () => undefined,
    ): Promise<HttpResponse | Failure> {
      const read = (response: HttpResponse) => {
        const { status } = response;
        if (!isOwnTrouble(status)) return check(response) ?? response;
        return { ...failOfStatus(response, `${server.host} answers with status ${status}.`), retryable: true };
      };
      for (let attempt = 1; ; attempt++) {
        const answer = await server.ask(`/${path}`, { headers, maxBytes: MAX_BYTES }, read);
        const isOver = attempt === ATTEMPTS || signal.aborted || server.downBecauseOf !== undefined;
        if (!isFailure(answer) || !answer.retryable || isOver) return answer;
      }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
