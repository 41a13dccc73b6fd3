// Answers of APIs, nodes and web servers, and URIs, as somebody would make them who means harm, each with what becomes
// of it.
import type { RequestListener, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { DEEP } from '../support/json-client.ts';
import { hashOf } from '../support/observer-lines.ts';

export interface HostileCase {
  /** Also that of its contract. */
  readonly name: string;
  /**
   * Which question is answered so, `abi` being the API's where the node has no interface; or which URI the token has,
   * where `{host}` is that of the web server.
   */
  readonly at:
    | 'contract'
    | 'abi'
    | 'source'
    | 'interface'
    | 'get-name'
    | 'list'
    | 'web'
    | 'silent'
    | 'busy'
    | { uri: string };
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
const page = '<!DOCTYPE html><html><body>Down for maintenance</body></html>';

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
const listed = (...items: string[]) => send(`{"limit":60,"offset":0,"total":60,"results":[${items.join(',')}]}`);

const CONTRACTS: readonly HostileCase[] = [
  { name: 'contract-empty', at: 'contract', answer: send(''), fails: 'source-invalid' },
  { name: 'contract-null', at: 'contract', answer: send('null'), fails: 'source-invalid' },
  { name: 'contract-number', at: 'contract', answer: send('7'), fails: 'source-invalid' },
  { name: 'contract-text', at: 'contract', answer: send('"text"'), fails: 'source-invalid' },
  { name: 'contract-list', at: 'contract', answer: send('[]'), fails: 'source-invalid' },
  { name: 'contract-page', at: 'contract', answer: send(page), fails: 'source-invalid' },
  { name: 'contract-half', at: 'contract', answer: send('{"tx_id":'), fails: 'source-invalid' },
  { name: 'contract-deep', at: 'contract', answer: send(DEEP), fails: 'source-invalid' },
  { name: 'contract-bomb', at: 'contract', answer: send(BOMB), fails: 'source-invalid' },
  { name: 'contract-large', at: 'contract', answer: send(`"${'x'.repeat(19 * MEGABYTE)}"`), fails: 'source-invalid' },
  {
    name: 'contract-gzip-bomb',
    at: 'contract',
    answer: send(gzipSync(Buffer.alloc(100 * MEGABYTE, '[')), 200, { 'content-encoding': 'gzip' }),
    fails: 'source-invalid',
  },
  { name: 'contract-proto', at: 'contract', answer: send('{"__proto__":{"canonical":true}}'), fails: 'source-invalid' },
  { name: 'contract-tx-object', at: 'contract', answer: about({ tx_id: '{"toString":1}' }), fails: 'source-invalid' },
  { name: 'contract-tx-short', at: 'contract', answer: about({ tx_id: '"0xab"' }), fails: 'source-invalid' },
  { name: 'contract-other', at: 'contract', answer: about({ contract_id: '"SP1.other"' }), fails: 'source-invalid' },
  { name: 'contract-height', at: 'contract', answer: about({ block_height: '1e400' }), fails: 'source-invalid' },
  { name: 'contract-below', at: 'contract', answer: about({ block_height: '-1' }), fails: 'source-invalid' },
  { name: 'contract-maybe', at: 'contract', answer: about({ canonical: '"true"' }), fails: 'source-invalid' },
  { name: 'contract-version', at: 'contract', answer: about({ clarity_version: DEEP }), fails: undefined },
  { name: 'contract-forged', at: 'contract', answer: send(FORGERY, 500), fails: 'http-500' },
  { name: 'contract-elsewhere', at: 'contract', answer: redirect('http://169.254.169.254/'), fails: 'http-302' },
  { name: 'contract-reset', at: 'contract', answer: reset, fails: 'connection-failed' },
  { name: 'contract-cut', at: 'contract', answer: cut, fails: 'connection-failed' },
  { name: 'contract-garbage', at: 'contract', answer: raw('\u0000\u0001 no HTTP'), fails: 'connection-failed' },
  { name: 'abi-deep', at: 'abi', answer: about({ abi: JSON.stringify(DEEP) }), fails: 'interface-invalid' },
  { name: 'abi-number', at: 'abi', answer: about({ abi: '7' }), fails: 'interface-invalid' },
  { name: 'abi-half', at: 'abi', answer: about({ abi: '"{"' }), fails: 'interface-invalid' },
  { name: 'abi-bomb', at: 'abi', answer: about({ abi: JSON.stringify(BOMB) }), fails: 'interface-invalid' },
  { name: 'abi-type-deep', at: 'abi', answer: about({ abi: abiOfType(NESTED_TYPE) }), fails: 'interface-invalid' },
  { name: 'abi-forged', at: 'abi', answer: about({ abi: abiOfType('{}') }), fails: 'interface-invalid' },
  { name: 'abi-more', at: 'abi', answer: abi(`"more":${'['.repeat(500)}${']'.repeat(500)}`), fails: undefined },
  { name: 'interface-page', at: 'interface', answer: send(page), fails: 'source-invalid' },
  { name: 'interface-large', at: 'interface', answer: send(`"${'x'.repeat(2 * MEGABYTE)}"`), fails: 'source-invalid' },
  { name: 'interface-deep', at: 'interface', answer: send(DEEP), fails: 'interface-invalid' },
  { name: 'source-object', at: 'source', answer: send('{"source":{"toString":1}}'), fails: 'source-invalid' },
  {
    name: 'source-large',
    at: 'source',
    answer: send(`{"source":"${'x'.repeat(6 * MEGABYTE)}"}`),
    fails: 'source-invalid',
  },
];

const VALUES: readonly HostileCase[] = [
  { name: 'call-cause-deep', at: 'get-name', answer: caused(DEEP), fails: 'clarity-error' },
  { name: 'call-cause-none', at: 'get-name', answer: send('{"okay":false}'), fails: 'clarity-error' },
  { name: 'call-cause-object', at: 'get-name', answer: caused('{"toJSON":1}'), fails: 'clarity-error' },
  { name: 'call-cause-forged', at: 'get-name', answer: caused(JSON.stringify(FORGERY)), fails: 'clarity-error' },
  { name: 'call-refused-forged', at: 'get-name', answer: send(FORGERY, 400), fails: 'clarity-error' },
  { name: 'call-refused-long', at: 'get-name', answer: send('x'.repeat(2 * MEGABYTE), 400), fails: 'clarity-error' },
  { name: 'call-no-hex', at: 'get-name', answer: called('0xzz'), fails: 'clarity-value-invalid' },
  { name: 'call-deep', at: 'get-name', answer: called(`0x${'0a'.repeat(200_000)}09`), fails: 'clarity-value-invalid' },
  { name: 'call-long-list', at: 'get-name', answer: called('0x0bffffffff09'), fails: 'clarity-value-invalid' },
  { name: 'call-long-text', at: 'get-name', answer: called('0x0dffffffff41'), fails: 'clarity-value-invalid' },
  { name: 'call-no-utf8', at: 'get-name', answer: called('0x070e00000002c328'), fails: 'clarity-value-invalid' },
  {
    name: 'call-many-values',
    at: 'get-name',
    answer: called(`0x0b000f4240${'09'.repeat(MEGABYTE)}`),
    fails: 'clarity-value-invalid',
  },
  { name: 'call-err-forged', at: 'get-name', answer: called(`0x08${clarityText(FORGERY)}`), fails: 'getter-error' },
  { name: 'call-other-type', at: 'get-name', answer: called('0x0703'), fails: 'getter-wrong-type' },
  {
    name: 'call-result-object',
    at: 'get-name',
    answer: send('{"okay":true,"result":{"toString":1}}'),
    fails: 'source-invalid',
  },
  { name: 'call-okay-text', at: 'get-name', answer: send('{"okay":"false"}'), fails: 'source-invalid' },
  { name: 'call-deep-answer', at: 'get-name', answer: send(DEEP), fails: 'source-invalid' },
  { name: 'call-large', at: 'get-name', answer: send(`"${'x'.repeat(19 * MEGABYTE)}"`), fails: 'source-invalid' },
  { name: 'call-page', at: 'get-name', answer: send(page), fails: 'source-invalid' },
  { name: 'call-forged-name', at: 'get-name', answer: called(`0x07${clarityText(FORGERY)}`), fails: undefined },
];

/** Each is a page of its own, behind the first. */
const LISTS: readonly HostileCase[] = [
  {
    name: 'list-item-object',
    at: 'list',
    answer: listed('{"asset_identifier":{"toString":1}}'),
    fails: 'source-invalid',
  },
  { name: 'list-item-deep', at: 'list', answer: listed(`{"contract_principal":${DEEP}}`), fails: 'source-invalid' },
  { name: 'list-item-null', at: 'list', answer: listed('null', '7', '[]'), fails: 'source-invalid' },
  {
    name: 'list-item-climbs',
    at: 'list',
    answer: listed('{"contract_principal":"../../x.y"}'),
    fails: 'source-invalid',
  },
  { name: 'list-no-list', at: 'list', answer: send('{"results":{"length":9}}'), fails: 'source-invalid' },
  { name: 'list-bomb', at: 'list', answer: send(`{"results":${BOMB}}`), fails: 'source-invalid' },
  { name: 'list-large', at: 'list', answer: send(`"${'x'.repeat(4 * MEGABYTE)}"`), fails: 'source-invalid' },
  { name: 'list-page', at: 'list', answer: send(page), fails: 'source-invalid' },
];

const WEB: readonly HostileCase[] = [
  { name: 'web-404', at: 'web', answer: send('{}', 404), fails: 'http-404' },
  { name: 'web-304', at: 'web', answer: send('', 304), fails: 'http-304' },
  { name: 'web-500-forged', at: 'web', answer: send(FORGERY, 500), fails: 'http-500' },
  { name: 'web-999', at: 'web', answer: send('', 999), fails: 'http-999' },
  { name: 'web-empty', at: 'web', answer: send(''), fails: 'empty-document' },
  { name: 'web-list', at: 'web', answer: send('[]'), fails: 'not-an-object' },
  { name: 'web-page', at: 'web', answer: send(page), fails: 'html-page' },
  { name: 'web-half', at: 'web', answer: send('{"name":"ha'), fails: 'not-json' },
  {
    name: 'web-announced',
    at: 'web',
    answer: send('{}', 200, { 'content-length': '99999999999' }),
    fails: 'too-large',
  },
  { name: 'web-large', at: 'web', answer: send(`"${'x'.repeat(2 * MEGABYTE)}"`), fails: 'too-large' },
  {
    name: 'web-brotli-bomb',
    at: 'web',
    answer: send(brotliCompressSync(Buffer.alloc(50 * MEGABYTE)), 200, { 'content-encoding': 'br' }),
    fails: 'too-large',
  },
  {
    name: 'web-no-gzip',
    at: 'web',
    answer: send('{}', 200, { 'content-encoding': 'gzip' }),
    fails: 'connection-failed',
  },
  { name: 'web-cut', at: 'web', answer: cut, fails: 'connection-failed' },
  { name: 'web-reset', at: 'web', answer: reset, fails: 'connection-failed' },
  { name: 'web-garbage', at: 'web', answer: raw(`SSH-2.0-${FORGERY}`), fails: 'connection-failed' },
  {
    name: 'web-two-lengths',
    at: 'web',
    answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
    fails: 'connection-failed',
  },
  {
    name: 'web-bad-chunks',
    at: 'web',
    answer: raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}'),
    fails: 'connection-failed',
  },
  {
    name: 'web-long-header',
    at: 'web',
    answer: raw(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(200_000)}\r\n\r\n{}`),
    fails: 'connection-failed',
  },
  { name: 'web-loop', at: 'web', answer: redirect('/web-loop'), fails: 'redirect-limit' },
  { name: 'web-to-nowhere', at: 'web', answer: send('', 302), fails: 'redirect-invalid' },
  { name: 'web-to-no-url', at: 'web', answer: redirect('http://['), fails: 'redirect-invalid' },
  { name: 'web-to-file', at: 'web', answer: redirect('file:///etc/passwd'), fails: 'unsupported-scheme' },
  { name: 'web-to-metadata', at: 'web', answer: redirect('http://169.254.169.254/latest/'), fails: 'address-refused' },
  { name: 'web-to-loopback', at: 'web', answer: redirect('http://[::ffff:127.0.0.1]/'), fails: 'address-refused' },
  { name: 'web-to-ssh', at: 'web', answer: redirect('http://example.org:22/'), fails: 'port-refused' },
  { name: 'web-to-secret', at: 'web', answer: redirect('http://a:b@example.org/'), fails: 'credentials-refused' },
  { name: 'silent-before', at: 'silent', answer: silence, fails: 'timeout' },
  { name: 'silent-drip', at: 'silent', answer: drip, fails: 'timeout' },
  { name: 'busy-for-years', at: 'busy', answer: send('', 429, { 'retry-after': '99999999999' }), fails: 'http-429' },
];

const URIS: readonly HostileCase[] = [
  ['uri-no-uri', '<link to token-uri>', 'not-a-uri'],
  ['uri-no-host', 'http://', 'not-a-uri'],
  ['uri-forged', `http://${FORGERY}`, 'not-a-uri'],
  ['uri-file', 'file:///etc/passwd', 'unsupported-scheme'],
  ['uri-script', 'javascript:alert(1)', 'unsupported-scheme'],
  ['uri-loopback', 'http://127.0.0.1:80/', 'address-refused'],
  ['uri-number', 'http://2130706433/', 'address-refused'],
  ['uri-mapped', 'http://[::ffff:7f00:1]/', 'address-refused'],
  ['uri-metadata', 'http://169.254.169.254/latest/meta-data/', 'address-refused'],
  ['uri-localhost', 'http://foo.localhost/', 'address-refused'],
  ['uri-port', 'https://example.org:6379/', 'port-refused'],
  ['uri-secret', 'http://user:secret@{host}/', 'credentials-refused'],
  ['uri-ar-short', 'ar://abc', 'not-a-uri'],
  ['uri-ar-climbs', `ar://${'a'.repeat(43)}/../..`, 'not-a-uri'],
  ['uri-ipfs-climbs', 'ipfs://Qm1/%2e%2e/%2e%2e/admin', 'not-a-uri'],
  ['uri-ipfs-none', 'ipfs://', 'not-a-uri'],
  ['uri-data-none', 'data:application/json', 'data-uri-invalid'],
  ['uri-data-base64', 'data:;base64,***', 'data-uri-invalid'],
  ['uri-data-list', 'data:,[]', 'not-an-object'],
].map(([name = '', uri = '', fails]) => ({ name, at: { uri }, fails }));

export const HOSTILE_CASES: readonly HostileCase[] = [...CONTRACTS, ...VALUES, ...LISTS, ...WEB, ...URIS];

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
