// Defines hostile responses of APIs, nodes and web servers, and hostile URIs, each with the expected failure code.
import type { RequestListener, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { DEEP } from '../support/server-client.ts';
import { hashOf } from '../support/transactions.ts';

/** An endpoint of an API or its node. `abi` is the interface from the API, requested if the node returns none. */
type Endpoint = 'contract' | 'abi' | 'source' | 'interface' | 'get-name' | 'list';
type WebServer = 'web' | 'silent' | 'busy';

interface HostileCase {
  /** The name of the case, and of the contract that it is about. */
  readonly name: string;
  /**
   * The endpoint or web server that sends the hostile response. For a hostile URI: the URI, in which `{host}` stands
   * for the host of a web server.
   */
  readonly at: Endpoint | WebServer | { uri: string };
  readonly respond?: RequestListener;
  /** The failure code that the index must store; undefined if the response must cause no failure. */
  readonly failureCode: string | undefined;
}

/** Text that could forge terminal output: its control characters move the cursor, begin lines and reverse text. */
export const FORGERY = '\u001b[2K\r\nFORGED \u009b1A\u0085FORGED\u2028FORGED\u2029FORGED\u202eFORGED\u2066\u0007';

const MEGABYTE = 1_000_000;
/** JSON with 300,000 values in a megabyte. */
const BOMB = `[${'{},'.repeat(300_000)}{}]`;
const NESTED_TYPE = `${'{"optional":'.repeat(1_000)}"bool"${'}'.repeat(1_000)}`;

const send =
  (body: string | Buffer, status = 200, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);
const raw =
  (bytes: string): RequestListener =>
  (_, response: ServerResponse) =>
    void response.socket?.end(bytes, 'latin1');
const redirect = (location: string) => send('', 302, { location });
const reset: RequestListener = (_, response) => void response.socket?.resetAndDestroy();
const cut: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"name":"half');
  setImmediate(() => response.socket?.destroy());
};
const drip: RequestListener = (_, response) => {
  response.writeHead(200).write('{"name":"');
  const timer = setInterval(() => response.write('x'), 50);
  response.on('close', () => clearInterval(timer));
};
const silence: RequestListener = () => {};

/**
 * Returns a listener that responds with a contract, as an API does. `more` replaces members of the response by JSON
 * texts.
 */
const about =
  (more: Readonly<Record<string, string>>): RequestListener =>
  (request, response) => {
    const contractId = (request.url ?? '').split('/').at(-1) ?? '';
    const members: Record<string, string> = {
      tx_id: JSON.stringify(hashOf(contractId)),
      canonical: 'true',
      contract_id: JSON.stringify(contractId),
      block_height: '1',
      clarity_version: '2',
      source_code: '";; hostile"',
      abi: JSON.stringify(JSON.stringify(TOKEN_INTERFACE)),
      ...more,
    };
    const body = Object.entries(members).map(([key, json]) => `${JSON.stringify(key)}:${json}`);
    send(`{${body.join(',')}}`)(request, response);
  };
/** Responds with a contract without source, so that the index run requests the source from the node. */
export const withoutSource = about({ source_code: 'null' });
const abi = (more: string) =>
  about({ abi: JSON.stringify(JSON.stringify(TOKEN_INTERFACE).replace(/^\{/, `{${more},`)) });
const callResult = (result: string) => send(JSON.stringify({ okay: true, result }));
const callFailure = (cause: string) => send(`{"okay":false,"cause":${cause}}`);
/** Returns a listener that responds with a full list page that begins with `item`, and with a wrong total. */
const listPage = (item: string) =>
  send(`{"limit":60,"total":60,"results":[${[item, ...Array.from({ length: 59 }, () => '{}')].join(',')}]}`);

/** Returns cases that concern one endpoint and have the same failure code. The keys of `listeners` are their names. */
const cases = (at: Endpoint | WebServer, failureCode: string | undefined, listeners: Record<string, RequestListener>) =>
  Object.entries(listeners).map(
    ([name, respond]): HostileCase => ({
      name: `${at === 'get-name' ? 'call' : at}-${name}`,
      at,
      respond,
      failureCode,
    }),
  );

/**
 * The cases for complete index runs. The tests of test/source, test/net, test/clarity and test/uri have simpler hostile
 * inputs.
 */
export const HOSTILE_CASES: readonly HostileCase[] = [
  ...cases('contract', 'source-invalid', {
    text: send('"text"'),
    deep: send(DEEP),
    bomb: send(BOMB),
    large: send(`"${'x'.repeat(19 * MEGABYTE)}"`),
    'gzip-bomb': send(gzipSync(Buffer.alloc(100 * MEGABYTE, '[')), 200, { 'content-encoding': 'gzip' }),
    proto: send('{"__proto__":{"canonical":true}}'),
    'tx-object': about({ tx_id: '{"toString":1}' }),
    height: about({ block_height: '1e400' }),
  }),
  ...cases('contract', undefined, { version: about({ clarity_version: DEEP }) }),
  ...cases('contract', 'http-500', { forged: send(FORGERY, 500) }),
  ...cases('contract', 'http-302', { elsewhere: redirect('http://169.254.169.254/') }),
  ...cases('contract', 'connection-failed', { reset, cut }),
  ...cases('contract', 'response-invalid', { garbage: raw('\u0000\u0001 no HTTP\n') }),
  ...cases('abi', 'interface-invalid', {
    deep: about({ abi: JSON.stringify(DEEP) }),
    bomb: about({ abi: JSON.stringify(BOMB) }),
    'type-deep': about({ abi: abiOfType(NESTED_TYPE) }),
    forged: about({ abi: abiOfType('{}') }),
  }),
  ...cases('abi', undefined, { more: abi(`"more":${'['.repeat(500)}${']'.repeat(500)}`) }),
  ...cases('interface', 'interface-invalid', { deep: send(DEEP) }),
  ...cases('source', 'source-invalid', { object: send('{"source":{"toString":1}}') }),
  ...cases('get-name', 'clarity-error', {
    'cause-object': callFailure('{"toJSON":1}'),
    'cause-forged': callFailure(JSON.stringify(FORGERY)),
    'refused-forged': send(FORGERY, 400),
    'refused-long': send('x'.repeat(2 * MEGABYTE), 400),
  }),
  ...cases('get-name', 'clarity-value-invalid', {
    deep: callResult(`0x${'0a'.repeat(200_000)}09`),
    'many-values': callResult(`0x0b000f4240${'09'.repeat(MEGABYTE)}`),
  }),
  ...cases('get-name', 'getter-error', { 'err-forged': callResult(`0x08${clarityText(FORGERY)}`) }),
  ...cases('get-name', 'source-invalid', {
    'result-object': send('{"okay":true,"result":{"toString":1}}'),
    'deep-response': send(DEEP),
  }),
  ...cases('get-name', undefined, { 'forged-name': callResult(`0x07${clarityText(FORGERY)}`) }),
  // Each of these cases is a separate page of the list, after the first page. A page that fails must be the last one.
  ...cases('list', 'source-invalid', {
    'item-deep': listPage(`{"contract_principal":${DEEP}}`),
    'item-climbs': listPage('{"contract_principal":"../../x.y"}'),
    bomb: send(`{"results":${BOMB}}`),
  }),
  ...cases('web', 'http-500', { '500-forged': send(FORGERY, 500) }),
  ...cases('web', 'http-999', { 999: send('', 999) }),
  ...cases('web', 'too-large', {
    announced: send('{}', 200, { 'content-length': '99999999999' }),
    'brotli-bomb': send(brotliCompressSync(Buffer.alloc(50 * MEGABYTE)), 200, { 'content-encoding': 'br' }),
  }),
  ...cases('web', 'connection-failed', { reset }),
  ...cases('web', 'response-invalid', {
    'no-gzip': send('{}', 200, { 'content-encoding': 'gzip' }),
    garbage: raw(`SSH-2.0-${FORGERY}`),
    'two-lengths': raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
    'bad-chunks': raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}'),
    'long-header': raw(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(300_000)}\r\n\r\n{}`),
  }),
  ...cases('web', 'redirect-invalid', { 'to-nowhere': send('', 302) }),
  ...cases('web', 'unsupported-scheme', { 'to-file': redirect('file:///etc/passwd') }),
  ...cases('web', 'address-refused', {
    'to-metadata': redirect('http://169.254.169.254/latest/'),
    'to-loopback': redirect('http://[::ffff:127.0.0.1]/'),
  }),
  ...cases('web', 'port-refused', { 'to-ssh': redirect('http://example.org:22/') }),
  ...cases('web', 'credentials-refused', { 'to-secret': redirect('http://a:b@example.org/') }),
  ...cases('silent', 'timeout', { before: silence, drip }),
  ...cases('busy', 'http-429', { 'for-years': send('', 429, { 'retry-after': '99999999999' }) }),
  { name: 'uri-forged', at: { uri: `http://${FORGERY}` }, failureCode: 'not-a-uri' },
  { name: 'uri-mapped', at: { uri: 'http://[::ffff:7f00:1]/' }, failureCode: 'address-refused' },
  { name: 'uri-secret', at: { uri: 'http://user:secret@{host}/' }, failureCode: 'credentials-refused' },
];

/** Returns an interface as a JSON string. It has a variable of this type, whose name has control characters. */
function abiOfType(type: string): string {
  const variable = `{"name":${JSON.stringify(FORGERY)},"access":"constant","type":${type}}`;
  return JSON.stringify(
    JSON.stringify({ ...TOKEN_INTERFACE, variables: [] }).replace('"variables":[]', `"variables":[${variable}]`),
  );
}

/** Serializes text as a Clarity value of type string-utf8. */
function clarityText(text: string): string {
  const bytes = Buffer.from(text);
  return `0e${bytes.length.toString(16).padStart(8, '0')}${bytes.toString('hex')}`;
}
