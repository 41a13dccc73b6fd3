// Runs the programs at the edge of hosts. A server on this machine serves the files of the site to them.
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import { siteOf } from '#generator/host-files.ts';
import { HOSTS } from '#hosts/all.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';

/** Responds to a program that requests a file of the build. */
export type Respond = (file: string, response: ServerResponse) => void;

export interface ProgramResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The bytes of the body. */
  readonly bytes: Buffer;
  /** Set if the program lets the host send a file: the path of this file. */
  readonly file?: string | undefined;
  /** The errors that the program logged while it handled the request. */
  readonly errors: readonly string[];
}

type Ask = (path: string, origin: string, log: (error: unknown) => void) => Promise<Omit<ProgramResponse, 'errors'>>;

interface EdgeResult {
  readonly status: string;
  readonly uri?: string;
  readonly headers: Readonly<Record<string, readonly { readonly value: string }[]>>;
  readonly body?: string;
  readonly bodyEncoding?: 'base64';
}

const folder = tempFolderForFile();
const BUCKET = 'tokens.s3.us-east-1.amazonaws.com';

async function load<Program>(host: string, path: string): Promise<Program> {
  const text = HOSTS.find(({ name }) => name === host)
    ?.files(siteOf(join(folder, 'dist')))
    .find((file) => file.path === path)?.text;
  const file = join(folder, `${host}.mjs`);
  writeFileSync(file, text ?? '');
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Program;
}

const cloudflare: Ask = async (path, origin, log) => {
  type Worker = { readonly default: { fetch(...asked: readonly unknown[]): Promise<Response> } };
  const { default: worker } = await load<Worker>('cloudflare', 'worker.js');
  const ASSETS = { fetch: ({ url }: Request) => fetch(origin + new URL(url).pathname) };
  const context = { waitUntil: (work: Promise<unknown>) => work.catch(log) };
  return readResponse(await worker.fetch(new Request(`https://site.example${path}`), { ASSETS }, context));
};

const s3CloudFront: Ask = async (path, origin) => {
  type Program = { handler(event: object): Promise<EdgeResult> };
  const { handler } = await load<Program>('s3-cloudfront', 'origin-request.mjs');
  const send = globalThis.fetch;
  globalThis.fetch = async (input) => {
    const { url, method } = new Request(input);
    return await send(url.replace(`https://${BUCKET}/below`, origin), { method });
  };
  try {
    const [uri = '', querystring = ''] = path.split('?');
    const request = { method: 'GET', uri, querystring, origin: { s3: { domainName: BUCKET, path: '/below' } } };
    const result = await handler({ Records: [{ cf: { request } }] });
    const { status = '200', headers = {}, uri: file } = result;
    const bytes = Buffer.from(result.body ?? '', result.bodyEncoding);
    const values = Object.entries(headers).map(([name, fields]) => [name, fields[0]?.value ?? '']);
    const sent = { headers: Object.fromEntries(values), body: bytes.toString(), bytes };
    return { status: Number(status), ...sent, file: status ? file?.slice(1) : '' };
  } finally {
    globalThis.fetch = send;
  }
};

export const PROGRAMS: Readonly<Record<string, Ask>> = { cloudflare, 's3-cloudfront': s3CloudFront };

async function readResponse(response: Response): Promise<Omit<ProgramResponse, 'errors'>> {
  const headers = Object.fromEntries(response.headers);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers, body: bytes.toString(), bytes };
}

/** Runs a program with a request for a path. `respond` serves the files of the build. */
export async function askProgram(name: string, path: string, respond: Respond): Promise<ProgramResponse> {
  const errors: string[] = [];
  const log = (error: unknown) => void errors.push(String(error));
  const files = createServer(({ url = '' }, response) => respond(decodeURIComponent(url.slice(1)), response));
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const ask = PROGRAMS[name] as Ask;
  const logged = vi.spyOn(console, 'error').mockImplementation(log);
  try {
    return { ...(await ask(path, `http://127.0.0.1:${(files.address() as AddressInfo).port}`, log)), errors };
  } finally {
    logged.mockRestore();
    files.close();
    files.closeAllConnections();
  }
}
