// Answers of APIs, nodes and web servers, and URIs, as somebody would make them who means harm, each with what becomes
// of it.
import type { RequestListener, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { DEEP } from '../support/json-client.ts';
import { hashOf } from '../support/observer-lines.ts';

/** A question to a node or an API, `abi` being the API's where the node has no interface. */
type Question = 'contract' | 'abi' | 'source' | 'interface' | 'get-name' | 'list';
type WebServer = 'web' | 'silent' | 'busy';

interface HostileCase {
  /** Also that of its contract. */
  readonly name: string;
  /** What is answered so; or which URI the token has, where `{host}` is that of the web server. */
  readonly at: Question | WebServer | { uri: string };
  readonly answer?: RequestListener;
  /** The code of the failure that is recorded for it; undefined where it does no harm at all. */
  readonly fails: string | undefined;
}

/** Moves the cursor, begins lines, and turns text around, in the ways there are. */
export const FORGERY = '\u001b[2K\r\nFORGED \u009b1A\u0085FORGED\u2028FORGED\u2029FORGED\u202eFORGED\u2066\u0007';

const MEGABYTE = 1_000_000;
/** Many values in few bytes. */
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

/** What an API says of a contract, some of it as JSON text of our own. */
const about =
  (more: Readonly<Record<string, string>>): RequestListener =>
  (request, response) => {
    const contractId = (request.url ?? '').split('/').at(-1) ?? '';
    const told: Record<string, string> = {
      tx_id: JSON.stringify(hashOf(contractId)),
      canonical: 'true',
      contract_id: JSON.stringify(contractId),
      block_height: '1',
      clarity_version: '2',
      source_code: '";; hostile"',
      abi: JSON.stringify(JSON.stringify(TOKEN_INTERFACE)),
      ...more,
    };
    const body = Object.entries(told).map(([key, json]) => `${JSON.stringify(key)}:${json}`);
    send(`{${body.join(',')}}`)(request, response);
  };
/** An API that leaves the source to the node. */
export const withoutSource = about({ source_code: 'null' });
const abi = (more: string) =>
  about({ abi: JSON.stringify(JSON.stringify(TOKEN_INTERFACE).replace(/^\{/, `{${more},`)) });
const called = (result: string) => send(JSON.stringify({ okay: true, result }));
const caused = (cause: string) => send(`{"okay":false,"cause":${cause}}`);
/** A full page, whose total is wrong. */
const listed = (item: string) =>
  send(`{"limit":60,"total":60,"results":[${[item, ...Array.from({ length: 59 }, () => '{}')].join(',')}]}`);

/** Cases in which one question has one outcome, by their names. */
const cases = (at: Question | WebServer, fails: string | undefined, answers: Record<string, RequestListener>) =>
  Object.entries(answers).map(
    ([name, answer]): HostileCase => ({ name: `${at === 'get-name' ? 'call' : at}-${name}`, at, answer, fails }),
  );

/** Plainer ones are with the tests of what reads them: test/source, test/net, test/clarity, test/uri. */
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
  ...cases('contract', 'connection-failed', { reset, cut, garbage: raw('\u0000\u0001 no HTTP') }),
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
    'cause-object': caused('{"toJSON":1}'),
    'cause-forged': caused(JSON.stringify(FORGERY)),
    'refused-forged': send(FORGERY, 400),
    'refused-long': send('x'.repeat(2 * MEGABYTE), 400),
  }),
  ...cases('get-name', 'clarity-value-invalid', {
    deep: called(`0x${'0a'.repeat(200_000)}09`),
    'many-values': called(`0x0b000f4240${'09'.repeat(MEGABYTE)}`),
  }),
  ...cases('get-name', 'getter-error', { 'err-forged': called(`0x08${clarityText(FORGERY)}`) }),
  ...cases('get-name', 'source-invalid', {
    'result-object': send('{"okay":true,"result":{"toString":1}}'),
    'deep-answer': send(DEEP),
  }),
  ...cases('get-name', undefined, { 'forged-name': called(`0x07${clarityText(FORGERY)}`) }),
  // Each is a page of its own, behind the first.
  ...cases('list', 'source-invalid', {
    'item-deep': listed(`{"contract_principal":${DEEP}}`),
    'item-climbs': listed('{"contract_principal":"../../x.y"}'),
    bomb: send(`{"results":${BOMB}}`),
  }),
  ...cases('web', 'http-500', { '500-forged': send(FORGERY, 500) }),
  ...cases('web', 'http-999', { 999: send('', 999) }),
  ...cases('web', 'too-large', {
    announced: send('{}', 200, { 'content-length': '99999999999' }),
    'brotli-bomb': send(brotliCompressSync(Buffer.alloc(50 * MEGABYTE)), 200, { 'content-encoding': 'br' }),
  }),
  ...cases('web', 'connection-failed', {
    'no-gzip': send('{}', 200, { 'content-encoding': 'gzip' }),
    reset,
    garbage: raw(`SSH-2.0-${FORGERY}`),
    'two-lengths': raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
    'bad-chunks': raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}'),
    'long-header': raw(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(200_000)}\r\n\r\n{}`),
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
  { name: 'uri-forged', at: { uri: `http://${FORGERY}` }, fails: 'not-a-uri' },
  { name: 'uri-mapped', at: { uri: 'http://[::ffff:7f00:1]/' }, fails: 'address-refused' },
  { name: 'uri-secret', at: { uri: 'http://user:secret@{host}/' }, fails: 'credentials-refused' },
];

/** JSON of an interface as text, with a variable of this type, and a name that forges. */
function abiOfType(type: string): string {
  const variable = `{"name":${JSON.stringify(FORGERY)},"access":"constant","type":${type}}`;
  return JSON.stringify(
    JSON.stringify({ ...TOKEN_INTERFACE, variables: [] }).replace('"variables":[]', `"variables":[${variable}]`),
  );
}

/** A string-utf8 as Clarity serializes it. */
function clarityText(text: string): string {
  const bytes = Buffer.from(text);
  return `0e${bytes.length.toString(16).padStart(8, '0')}${bytes.toString('hex')}`;
}
