// Asks a server that the operator configured, a node or an API, for JSON; secrets are kept out of what it gives back.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { isHtmlPage } from '#text/html-page.ts';
import { measureJson } from '#text/json-cost.ts';
import { parseJson } from '#text/parse-json.ts';
import { excerpt } from '#text/quote.ts';
import { PoliteHost } from './polite-host.ts';
import { failOfStatus, type HttpResponse } from './send-request.ts';

interface JsonResponse {
  /** 200, 400 or 404. */
  readonly status: number;
  /** Undefined if the body is no JSON. */
  readonly json: unknown;
  readonly text: string;
}

/** Enough for an answer in a few words. */
const MAX_BYTES = 100_000;
/** Limit of the values in an answer: mainnet's largest interface of a token has 5,000. */
const MAX_VALUES = 100_000;
const MAX_MESSAGE_LENGTH = 200;
const MIN_SECRET_LENGTH = 8;
const BYTE_ORDER_MARK = /^\uFEFF/;
/** With these a node or an API answers the question; with any other it says something about itself. */
const ANSWERS: ReadonlySet<number> = new Set([200, 400, 404]);

export class JsonClient extends PoliteHost {
  get(path: string, { maxBytes = MAX_BYTES, maxValues = MAX_VALUES } = {}): Promise<JsonResponse | Failure> {
    return this.#ask(path, { maxBytes, maxValues });
  }

  post(path: string, body: unknown, { maxBytes = MAX_BYTES } = {}): Promise<JsonResponse | Failure> {
    return this.#ask(path, { maxBytes, maxValues: MAX_VALUES }, JSON.stringify(body));
  }

  async #ask(path: string, { maxBytes, maxValues }: { maxBytes: number; maxValues: number }, body?: string) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { accept: 'application/json', ...type };
    const answer = await this.ask(path, { headers, body, maxBytes }, (response) => this.#read(response, maxValues));
    // It is no answer either, and may be another one next time.
    return isFailure(answer) && answer.code === 'too-large' ? fail('source-invalid', answer.message) : answer;
  }

  #read(response: HttpResponse, maxValues: number): JsonResponse | Failure {
    const { status, header, body } = response;
    const { host } = this;
    // Servers may repeat what they were sent; secrets are neither stored nor shown.
    const text = this.#withoutSecrets(body.toString('utf8').replace(BYTE_ORDER_MARK, ''));
    if (measureJson(text).values > maxValues)
      return fail('source-invalid', `${host} answers with more than ${maxValues} values.`);
    const json = parseJson(text);
    const isPage = isHtmlPage(text);
    if (status === 200 ? json !== undefined : ANSWERS.has(status) && !isPage) return { status, json, text };
    if (ANSWERS.has(status)) {
      const what = isPage ? 'an HTML page' : 'something that is not JSON';
      return fail('source-invalid', `${host} answers with ${what}, status ${status}.`);
    }
    const said = isPage || text.trim() === '' ? '' : `: ${excerpt(text, MAX_MESSAGE_LENGTH)}`;
    const location = excerpt(this.#withoutSecrets(header('location') ?? 'nowhere'), MAX_MESSAGE_LENGTH);
    const message = `${host} answers with status ${status}${said}.${this.#adviceFor(status, location)}`;
    // It is the state of the server, which may change.
    return { ...failOfStatus(response, message), retryable: true };
  }

  #adviceFor(status: number, location: string): string {
    const flag = 'authorization' in this.options.secretHeaders ? '--node-auth' : '--api-key';
    if (status === 401 || status === 403) return ` Check ${flag}.`;
    if (status === 429) return ' Ask less often with --rate, or with --api-key.';
    return status >= 300 && status < 400 ? ` It redirects to ${location}; give that URL instead.` : '';
  }

  #withoutSecrets(text: string): string {
    // A shorter one is no secret, and would be found everywhere.
    const secrets = Object.values(this.options.secretHeaders).filter((secret) => secret.length >= MIN_SECRET_LENGTH);
    return secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  }
}
