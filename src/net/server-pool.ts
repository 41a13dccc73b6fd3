// Connections to a server that the operator named, wherever it is: what a token names goes through a guarded agent.
import { Pool } from 'undici';
import type { Failure } from '#model/failure.ts';
import { type HttpLimits, type HttpRequest, type HttpResponse, sendRequest } from './send-request.ts';

export class ServerPool {
  readonly #pool: Pool;
  readonly #timeoutMs: number;

  constructor(serverUrl: string, { connectTimeoutMs: timeout, idleTimeoutMs, totalTimeoutMs }: HttpLimits) {
    const { origin } = new URL(serverUrl);
    this.#pool = new Pool(origin, { connect: { timeout }, headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs });
    this.#timeoutMs = totalTimeoutMs;
  }

  send(url: URL, request: Omit<HttpRequest, 'timeoutMs'>): Promise<HttpResponse | Failure> {
    return sendRequest(this.#pool, url, { ...request, timeoutMs: this.#timeoutMs });
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
