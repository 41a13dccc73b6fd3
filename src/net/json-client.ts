// Requests JSON from a node or an API that the operator configured. Removes the operator's secrets from responses.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { isHtmlPage } from '#text/html-page.ts';
import { measureJson } from '#text/json-cost.ts';
import { parseJson } from '#text/parse-json.ts';
import { excerpt } from '#text/quote.ts';
import { PoliteHost } from './polite-host.ts';
import { failureOfStatus, type HttpResponse } from './send-request.ts';

interface JsonResponse {
  /** 200, 400 or 404. */
  readonly status: number;
  /** Undefined if the body is not JSON. */
  readonly json: unknown;
  readonly text: string;
}

/** The default maximum size of a response. */
const MAX_BYTES = 100_000;
/** The default maximum number of values in a response. The largest interface of a token on mainnet has 5,000. */
const MAX_VALUES = 100_000;
const MAX_MESSAGE_LENGTH = 200;
const MIN_SECRET_LENGTH = 8;
const BYTE_ORDER_MARK = /^\uFEFF/;
/** Statuses that answer the request. Any other status describes the state of the server. */
const RESPONSE_STATUSES: ReadonlySet<number> = new Set([200, 400, 404]);

export class JsonClient extends PoliteHost {
  get(path: string, { maxBytes = MAX_BYTES, maxValues = MAX_VALUES } = {}): Promise<JsonResponse | Failure> {
    return this.#request(path, { maxBytes, maxValues });
  }

  post(path: string, body: unknown, { maxBytes = MAX_BYTES } = {}): Promise<JsonResponse | Failure> {
    return this.#request(path, { maxBytes, maxValues: MAX_VALUES }, JSON.stringify(body));
  }

  async #request(path: string, { maxBytes, maxValues }: { maxBytes: number; maxValues: number }, body?: string) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { accept: 'application/json', ...type };
    const result = await this.request(path, { headers, body, maxBytes }, (response) => this.#read(response, maxValues));
    // A response that is too large is unusable, but the next response may be smaller.
    return isFailure(result) && result.code === 'too-large' ? fail('source-invalid', result.message) : result;
  }

  #read(response: HttpResponse, maxValues: number): JsonResponse | Failure {
    const { status, header, body } = response;
    const { host } = this;
    // A server may repeat the secrets that it received. They are removed, so that they are neither stored nor shown.
    const text = this.#withoutSecrets(body.toString('utf8').replace(BYTE_ORDER_MARK, ''));
    if (measureJson(text).values > maxValues)
      return fail('source-invalid', `The response of ${host} contains more than ${maxValues} values.`);
    const json = parseJson(text);
    const isPage = isHtmlPage(text);
    if (status === 200 ? json !== undefined : RESPONSE_STATUSES.has(status) && !isPage) return { status, json, text };
    if (RESPONSE_STATUSES.has(status)) {
      const content = isPage ? 'an HTML page' : 'content that is not JSON';
      return fail('source-invalid', `${host} responded with ${content}, status ${status}.`);
    }
    const reason = isPage || text.trim() === '' ? '' : `: ${excerpt(text, MAX_MESSAGE_LENGTH)}`;
    const location = excerpt(this.#withoutSecrets(header('location') ?? 'nowhere'), MAX_MESSAGE_LENGTH);
    const message = `${host} responded with status ${status}${reason}.${this.#adviceFor(status, location)}`;
    // A retry may succeed, since the state of the server may change.
    return { ...failureOfStatus(response, message), retryable: true };
  }

  #adviceFor(status: number, location: string): string {
    const flag = 'authorization' in this.options.secretHeaders ? '--node-auth' : '--api-key';
    if (status === 401 || status === 403) return ` Check ${flag}.`;
    if (status === 429) return ' Reduce the number of requests with --rate, or pass --api-key.';
    return status >= 300 && status < 400 ? ` It redirects to ${location}. Pass that URL instead.` : '';
  }

  #withoutSecrets(text: string): string {
    // Skips short values, which are not secrets and would match by accident.
    const secrets = Object.values(this.options.secretHeaders).filter((secret) => secret.length >= MIN_SECRET_LENGTH);
    return secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  }
}
