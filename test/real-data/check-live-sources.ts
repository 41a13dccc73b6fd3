// This script checks a live chain on loopback: node test/real-data/check-live-sources.ts FOLDER [TOKENS]
// A node, an API and a server of documents and images answer for TOKENS (1,000) contracts, and for six collections, of
// FOLDER/mainnet/contracts.ndjson.gz; the real command indexes and builds, and every answer is compared.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Cl } from '@stacks/transactions';
import sharp from 'sharp';
import { chainListener, chainOf, type LiveContract } from '../support/chain-listener.ts';
import { runCli } from '../support/run-cli.ts';
import { filesBelow } from '../support/sample.ts';
import { countChecks } from './count-checks.ts';
import { CONTRACTS_FILE, callReal, isRealToken, type RealContract, readRealContracts } from './real-contracts.ts';

const [folder, tokensText = '1000'] = process.argv.slice(2);
const listPath = join(folder ?? '', CONTRACTS_FILE);
if (folder === undefined || !existsSync(listPath)) {
  console.error(
    `usage: node test/real-data/check-live-sources.ts FOLDER [TOKENS], a folder with ${CONTRACTS_FILE} in it`,
  );
  process.exit(1);
}

const { check, summary, finish } = countChecks();
const real = readRealContracts(listPath);
const tokens = real.filter(isRealToken).slice(0, Number(tokensText));
const COLLECTIONS = 6;
const collections = real.filter((contract) => contract.standard === 'sip-009').slice(0, COLLECTIONS);
const isOther = ({ standard }: { standard: string | null }) => standard !== 'sip-010' && standard !== 'sip-009';
const others = real.filter(isOther).slice(0, 100);
const images = await Promise.all(
  [0, 1, 2, 3, 4, 5, 6, 7].map((hue) =>
    sharp({ create: { width: 40 + hue, height: 30, channels: 3, background: { r: hue * 30, g: 90, b: 200 } } })
      .png()
      .toBuffer(),
  ),
);

/** The API's list has every value of each third token; each fifth has a second locale; some have no document. */
const uriOf = (index: number, base: string) => (index % 7 === 6 ? undefined : `${base}/documents/${index}.json`);
function documentOf(index: number, base: string): Record<string, unknown> {
  const localization = { uri: `${base}/documents/${index}.{locale}.json`, default: 'en', locales: ['en', 'de'] };
  return {
    sip: 16,
    name: `Document ${index}`,
    description: `What token ${index} is for`,
    image: `${base}/images/${index % images.length}.png`,
    ...(index % 5 === 0 ? { localization } : {}),
  };
}

/** Of a collection: every other one has the same URI for all tokens, and 0 and a huge number among them. */
const isShared = (index: number) => index % 2 === 0;
const numbersOf = (index: number) => [
  '0',
  ...Array.from({ length: 5 + index }, (_, at) => String(at + 2)),
  String(2n ** 128n - 1n),
];
const numberedUri = (index: number, number: string, base: string) => `${base}/things/${index}/${number}.json`;
function thingOf(index: number, number: string, base: string): Record<string, unknown> {
  const localization = { uri: `${base}/things/${index}/{id}.{locale}.json`, default: 'en', locales: ['en', 'de'] };
  return {
    name: `Thing ${index} ${number}`,
    image: `${base}/images/${number.length % images.length}.png`,
    attributes: [{ trait_type: 'Number', value: number }],
    ...(index % 5 === 0 ? { localization } : {}),
  };
}

function liveCollection(
  { contract_id: contractId, interface: abi }: RealContract,
  index: number,
  base: string,
): LiveContract {
  const assets = (abi as unknown as { non_fungible_tokens: { name: string }[] }).non_fungible_tokens;
  const hex = (number: string) => `0x${Cl.serialize(Cl.uint(number))}`;
  return {
    contractId,
    sourceCode: `(define-read-only (get-token-uri (id uint)) ${isShared(index) ? '(ok none)' : '(ok id)'})`,
    abi,
    mints: { [assets[0]?.name ?? '']: numbersOf(index).map(hex) },
    call: (name, [argument = '']) => {
      if (name === 'get-last-token-id') return { result: `0x${Cl.serialize(Cl.ok(Cl.uint(3)))}` };
      if (name !== 'get-token-uri') return { cause: 'Unchecked(UndefinedFunction)' };
      const number = isShared(index) ? '{id}' : BigInt(`0x${argument.slice(4)}`).toString();
      return { result: `0x${Cl.serialize(Cl.ok(Cl.some(Cl.stringAscii(numberedUri(index, number, base)))))}` };
    },
  };
}

function chainAt(base: string) {
  const live = tokens.map(
    ({ contract_id: contractId, interface: abi, getters_at_deploy: values = {} }, index): LiveContract => {
      const uri = uriOf(index, base);
      const listed =
        index % 3 === 0
          ? {
              name: values.name,
              symbol: values.symbol,
              decimals: Number(values.decimals),
              total_supply: typeof values.total_supply === 'string' ? values.total_supply : null,
              token_uri: uri,
            }
          : {};
      return {
        contractId,
        sourceCode: `;; source of ${contractId}`,
        abi,
        blockHeight: 100 + index,
        listed,
        call: (name) => callReal(values, uri, name),
      };
    },
  );
  const rest = others.map(
    ({ contract_id: contractId, interface: abi }): LiveContract => ({ contractId, sourceCode: ';; other', abi }),
  );
  const things = collections.map((contract, index) => liveCollection(contract, index, base));
  return chainOf([...live, ...things, ...rest]);
}

const webListener =
  (base: () => string): RequestListener =>
  (request, response) => {
    const [, index, locale] = /^\/documents\/(\d+)(?:\.([a-z]+))?\.json$/.exec(request.url ?? '') ?? [];
    if (index !== undefined) {
      const document = documentOf(Number(index), base());
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify(
          locale === undefined ? document : { ...document, description: `${document.description} (${locale})` },
        ),
      );
      return;
    }
    const [, thing, number = '', ofThing] =
      /^\/things\/(\d+)\/(\d+)(?:\.([a-z]+))?\.json$/.exec(request.url ?? '') ?? [];
    if (thing !== undefined) {
      const document = thingOf(Number(thing), number, base());
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(ofThing === undefined ? document : { name: `${document.name} (${ofThing})` }));
      return;
    }
    const image = images[Number(/^\/images\/(\d+)\.png$/.exec(request.url ?? '')?.[1])];
    if (image === undefined) response.writeHead(404).end();
    else response.end(image);
  };

class Loopback {
  readonly #server: Server;
  listener: RequestListener;
  /** How often each request had a whole answer. */
  readonly answered = new Map<string, number>();

  constructor(listener: RequestListener) {
    this.listener = listener;
    this.#server = createServer((request, response) => {
      response.once('finish', () => {
        if (response.statusCode !== 200 || response.getHeader('content-type') === 'text/html') return;
        const key = `${request.method} ${request.url}`;
        this.answered.set(key, (this.answered.get(key) ?? 0) + 1);
      });
      this.listener(request, response);
    });
  }
  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const web = new Loopback(() => {});
await web.listen();
const webUrl = `http://${web.host}`;
web.listener = webListener(() => webUrl);
const api = new Loopback(chainListener(chainAt(webUrl)));
await api.listen();

const cwd = mkdtempSync(join(tmpdir(), 'stxpress-live-'));
const LIST = 'collections.txt';
writeFileSync(join(cwd, LIST), collections.map(({ contract_id }) => `${contract_id}\n`).join(''));
const sources = ['--api-url', `http://${api.host}`, '--discover', 'ft', '--contracts', LIST, '--nft', 'images'];
const limits = ['--allow-host', web.host, '--idle-timeout', '2'];
const tree = new Map<string, string>();
try {
  const indexed = await runCli(['index', '--db', 'index.sqlite', ...sources, ...limits], { cwd });
  check('index', indexed.status === 0, indexed.stderr);
  // What all tokens of a collection share, and its last number, are calls to one path as are those of its tokens.
  const isCall = (key: string) => /\/v2\/info|\/call-read\//.test(key);
  const twice = [...api.answered, ...web.answered].find(([key, times]) => times > 1 && !isCall(key));
  check('nothing is fetched twice', twice === undefined, String(twice));
  const built = await runCli(['build', '--db', 'index.sqlite', '--out', 'dist'], { cwd });
  check('build', built.status === 0, built.stderr);
  const dist = join(cwd, 'dist');
  // As latin1, so that no byte of an image is lost.
  for (const path of filesBelow(dist)) tree.set(path, readFileSync(join(dist, path), 'latin1'));
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
compareTokens();
compareCollections();
console.log(`${tree.size} files; ${summary()}`);
web.close();
api.close();
finish();

function compareTokens(): void {
  for (const [index, { contract_id: contractId, getters_at_deploy: values = {}, interface: abi }] of tokens.entries()) {
    const answer = JSON.parse(
      Buffer.from(tree.get(`metadata/v1/ft/${contractId}`) ?? 'null', 'latin1').toString(),
    ) as Record<string, unknown> | null;
    const uri = uriOf(index, webUrl);
    const document = uri === undefined ? undefined : documentOf(index, webUrl);
    const { total_supply: supply } = values;
    const expected = {
      name: String(values.name ?? ''),
      symbol: String(values.symbol ?? ''),
      decimals: Number(values.decimals ?? 0),
      ...(typeof supply === 'string' ? { total_supply: supply } : {}),
      ...(uri === undefined ? {} : { token_uri: uri }),
      ...(document === undefined ? {} : { description: document.description, image_canonical_uri: document.image }),
    };
    const got = answer === null ? null : Object.fromEntries(Object.keys(expected).map((key) => [key, answer[key]]));
    check(
      `token ${contractId}`,
      isDeepStrictEqual(got, expected),
      `${JSON.stringify(answer)} for ${JSON.stringify(expected)}`,
    );
    check(
      `image of ${contractId}`,
      document === undefined || (typeof answer?.image_uri === 'string' && tree.has(answer.image_uri.slice(1))),
    );
    if (document?.localization !== undefined) {
      const german = JSON.parse(tree.get(`variants/locale/de/metadata/v1/ft/${contractId}`) ?? 'null') as {
        description?: string;
      } | null;
      check(`German of ${contractId}`, german?.description === `${document.description} (de)`);
    }
    const [address, name] = contractId.split('.');
    const served = JSON.parse(tree.get(`v2/contracts/interface/${address}/${name}`) ?? 'null') as unknown;
    check(`interface of ${contractId}`, isDeepStrictEqual(served, abi));
  }
}

interface NumberedAnswer {
  readonly token_uri?: string;
  readonly metadata?: { readonly name?: string; readonly cached_image?: string };
  readonly total?: number;
}

function compareCollections(): void {
  const read = (path: string) =>
    JSON.parse(Buffer.from(tree.get(path) ?? 'null', 'latin1').toString()) as NumberedAnswer | null;
  for (const [index, { contract_id: contractId }] of collections.entries()) {
    const numbers = [...new Set([...numbersOf(index), '1', '2', '3'])];
    for (const number of numbers) {
      const answer = read(`metadata/v1/nft/${contractId}/${number}`);
      const document = thingOf(index, number, webUrl);
      check(
        `${contractId} ${number}`,
        answer?.token_uri === numberedUri(index, number, webUrl) &&
          answer.metadata?.name === document.name &&
          tree.has(String(answer.metadata?.cached_image).slice(1)),
        JSON.stringify(answer),
      );
      if (document.localization !== undefined) {
        const german = read(`variants/locale/de/metadata/v1/nft/${contractId}/${number}`);
        check(`German of ${contractId} ${number}`, german?.metadata?.name === `${document.name} (de)`);
      }
    }
    check(`list of ${contractId}`, read(`metadata/v1/nft/${contractId}/index.json`)?.total === numbers.length);
  }
}
