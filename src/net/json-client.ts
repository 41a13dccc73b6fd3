// Asks one server that the operator configured, a node or an API, for JSON: at its pace, and not at all while it is down.
import { setTimeout as delay } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { isHtmlPage } from '#model/html-page.ts';
import { explainNetworkError, type HttpLimits, USER_AGENT } from './http-client.ts';
import { type Received, receive } from './receive.ts';
import { parseRetryAfter } from './retry-after.ts';

export interface JsonClientOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Sent with every request, and never shown. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  readonly limits: HttpLimits;
  /** Requests at once. */
  readonly concurrency: number;
  /** Undefined for as many as it can answer. */
  readonly requestsPerMinute: number | undefined;
  /** How long a server that does not answer, or that asks for time, is waited for; after that it is down. */
  readonly patienceMs: number;
  /** Aborted to give up everything in flight. */
  readonly signal: AbortSignal;
}

export interface JsonAnswer {
  /** 200, 400 or 404. */
  readonly status: number;
  /** Undefined where the body is none. */
  readonly json: unknown;
  readonly text: string;
}

/** So many failures in a row are the server's, not those of single requests. */
const FAILURES_IN_A_ROW = 8;
const FIRST_HOLD_MS = 1_000;
const MAX_HOLD_MS = 30_000;
/** A page of a token list, and more than any value. */
const MAX_BYTES = 3_000_000;
/** Mainnet's largest source is 416 KB, and source and interface come as text inside of JSON. */
export const MAX_CODE_BYTES = 20_000_000;
const MAX_MESSAGE_LENGTH = 200;
const MIN_SECRET_LENGTH = 8;
const BYTE_ORDER_MARK = /^\uFEFF/;

export class JsonClient {
  readonly #options: JsonClientOptions;
  readonly #pool: Pool;
  readonly #host: string;
  readonly #basePath: string;
  readonly #headers: Readonly<Record<string, string>>;
  #nextSlotAt = 0;
  #heldUntil = 0;
  #failuresInARow = 0;
  #holds = 0;
  /** When the first of the failures in a row came, in ms of performance.now(), which is never set back. */
  #failingSince = 0;
  #downBecauseOf: Failure | undefined;

  constructor(options: JsonClientOptions) {
    this.#options = options;
    const { connectTimeoutMs, idleTimeoutMs } = options.limits;
    const { origin, host, pathname } = new URL(options.baseUrl);
    this.#host = host;
    this.#headers = { 'user-agent': USER_AGENT, accept: 'application/json', ...options.secretHeaders };
    this.#basePath = pathname.replace(/\/$/, '');
    this.#pool = new Pool(origin, {
      connections: options.concurrency,
      connect: { timeout: connectTimeoutMs },
      headersTimeout: idleTimeoutMs,
      bodyTimeout: idleTimeoutMs,
    });
    options.signal.addEventListener('abort', () => void this.#pool.destroy(), { once: true });
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  /** Why the server was given up for this run; undefined while it was not. */
  get downBecauseOf(): Failure | undefined {
    return this.#downBecauseOf;
  }

  get(path: string, { maxBytes = MAX_BYTES } = {}): Promise<JsonAnswer | Failure> {
    return this.#ask({ path: `${this.#basePath}${path}`, method: 'GET', headers: this.#headers }, maxBytes);
  }

  post(path: string, body: unknown): Promise<JsonAnswer | Failure> {
    const options: Dispatcher.DispatchOptions = {
      path: `${this.#basePath}${path}`,
      method: 'POST',
      headers: { ...this.#headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    return this.#ask(options, MAX_BYTES);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #ask(options: Dispatcher.DispatchOptions, maxBytes: number): Promise<JsonAnswer | Failure> {
    const refused = await this.#turn();
    if (refused !== undefined) return refused;
    const answer = await this.#send(options, maxBytes);
    this.#learn(answer);
    return answer;
  }

  /** Waits until the server may be asked. */
  async #turn(): Promise<Failure | undefined> {
    const { signal, requestsPerMinute, patienceMs } = this.#options;
    for (;;) {
      if (signal.aborted || this.#downBecauseOf !== undefined) return fail('source-down');
      const heldMs = this.#heldUntil - performance.now();
      if (heldMs > patienceMs) {
        const seconds = heldMs / 1000;
        const message = `${this.#host} asked to be left alone for ${Math.ceil(seconds)} s.`;
        return { ...fail('host-held', message), retryAfterSeconds: seconds };
      }
      if (heldMs > 0) {
        await sleep(heldMs, signal);
        continue;
      }
      if (requestsPerMinute === undefined) return undefined;
      const slotAt = Math.max(performance.now(), this.#nextSlotAt);
      this.#nextSlotAt = slotAt + 60_000 / requestsPerMinute;
      await sleep(slotAt - performance.now(), signal);
      // Meanwhile it may have been held back, or given up.
      if (this.#heldUntil <= performance.now() && this.#downBecauseOf === undefined && !signal.aborted)
        return undefined;
    }
  }

  async #send(options: Dispatcher.DispatchOptions, maxBytes: number): Promise<JsonAnswer | Failure> {
    const { totalTimeoutMs } = this.#options.limits;
    try {
      const received = await receive(this.#pool, options, this.#host, { maxBytes, totalTimeoutMs });
      return isFailure(received) ? received : this.#read(received);
    } catch (error) {
      return explainNetworkError(error, new URL(this.#options.baseUrl));
    }
  }

  #read({ status: statusCode, headers, body }: Received): JsonAnswer | Failure {
    const host = this.#host;
    // Servers may repeat what they were sent: it is neither stored nor shown.
    const text = this.#withoutSecrets(body.toString('utf8').replace(BYTE_ORDER_MARK, ''));
    const json = parseJson(text);
    const isPage = isHtmlPage(text);
    if (statusCode === 200 && json !== undefined) return { status: statusCode, json, text };
    if ((statusCode === 400 || statusCode === 404) && !isPage) return { status: statusCode, json, text };
    if (statusCode === 200 || statusCode === 400 || statusCode === 404) {
      const what = isPage ? 'an HTML page' : 'something that is not JSON';
      return fail('source-invalid', `${host} answers with ${what}, status ${statusCode}.`);
    }
    const retryAfter = parseRetryAfter(one(headers['retry-after']), Date.now());
    const said = isPage || text.trim() === '' ? '' : `: ${oneLine(text)}`;
    const advice =
      statusCode === 401 || statusCode === 403
        ? ' Check --api-key.'
        : statusCode === 429
          ? ' Ask less often with --rate, or with --api-key.'
          : statusCode >= 300 && statusCode < 400
            ? ` It redirects to ${oneLine(this.#withoutSecrets(one(headers.location) ?? 'nowhere'))}; give that URL instead.`
            : '';
    return {
      ...fail(`http-${statusCode}`, `${host} answers with status ${statusCode}${said}.${advice}`),
      // Whatever it is, it is the server's state, and no answer about what was asked for.
      retryable: true,
      ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }),
    };
  }

  #withoutSecrets(text: string): string {
    // Shorter ones keep no secret, and would be found everywhere.
    const secrets = Object.values(this.#options.secretHeaders).filter((secret) => secret.length >= MIN_SECRET_LENGTH);
    return secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  }

  /** Holds the whole server back where it asked for it, or where it does not answer any more. */
  #learn(answer: JsonAnswer | Failure): void {
    const now = performance.now();
    if (!isFailure(answer)) {
      this.#failuresInARow = 0;
      this.#holds = 0;
      return;
    }
    if (this.#options.signal.aborted) return;
    if (this.#failuresInARow++ === 0) this.#failingSince = now;
    else if (now - this.#failingSince >= this.#options.patienceMs) this.#downBecauseOf ??= answer;
    const askedMs = (answer.retryAfterSeconds ?? 0) * 1000;
    const isHeldBack =
      answer.retryAfterSeconds !== undefined || answer.code === 'http-429' || this.#failuresInARow >= FAILURES_IN_A_ROW;
    // One that asks for no time while it refuses is given some all the same.
    if (isHeldBack && this.#heldUntil <= now) {
      this.#heldUntil = now + Math.max(askedMs, Math.min(FIRST_HOLD_MS * 2 ** this.#holds++, MAX_HOLD_MS));
    } else {
      this.#heldUntil = Math.max(this.#heldUntil, now + askedMs);
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** What a stranger wrote, fit to stand in a sentence. */
function oneLine(text: string): string {
  return text.trim().slice(0, MAX_MESSAGE_LENGTH).replaceAll(/\s+/g, ' ');
}

/** Ends early when the signal is aborted. */
async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) await delay(milliseconds, undefined, { signal }).catch(() => {});
}
