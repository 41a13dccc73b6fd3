// Reads files of the site that the page belongs to, and remembers them for a minute.

/** The root of the site, which may lie below a path, as on GitHub Pages. */
const ROOT = new URL('.', document.baseURI);

/** The name of the site, which the operator chose. */
export const SITE_NAME = document.querySelector<HTMLMetaElement>('meta[name=application-name]')?.content ?? 'stxpress';

/** The reason why something cannot be shown, in words for a reader. */
export class SiteError extends Error {
  /** True if another try may help. */
  readonly isPassing: boolean;
  /** The status of the response; undefined without a response. */
  readonly status: number | undefined;
  /** The request and its response, for a report. */
  readonly details: string | undefined;
  constructor(message: string, more: { isPassing?: boolean; status?: number; details?: string } = {}) {
    super(message);
    this.isPassing = more.isPassing ?? false;
    this.status = more.status;
    this.details = more.details;
  }
}

export function toSiteError(error: unknown): SiteError {
  if (error instanceof SiteError) return error;
  reportError(error);
  return new SiteError('Something went wrong. Reload the page. If it happens again, please report it.');
}

/** Caches may hold a response of the site for this time. */
const FRESH_MS = 60_000;
/** A search of all names reads more files, once. */
const MAX_REMEMBERED = 200;

interface Remembered {
  readonly requestedAt: number;
  readonly pending: Promise<unknown>;
  /** The last content, also while it is requested again. */
  content?: unknown;
}

const remembered = new Map<string, Remembered>();

/** Reads a JSON file. It is requested again after a minute. Throws SiteError. */
export async function readJson<Content>(path: string): Promise<Content> {
  const last = remembered.get(path);
  const isFresh = last !== undefined && Date.now() - last.requestedAt < FRESH_MS;
  const { pending } = isFresh ? last : requestAgain(path, last?.content);
  return (await pending) as Content;
}

/** Forgets all responses: the site may have been built again since. */
export function clearResponses(): void {
  remembered.clear();
}

/** Returns the last response, of any age; undefined if the path was never read. */
export function lastContent<Content>(path: string): Content | undefined {
  return remembered.get(path)?.content as Content | undefined;
}

function requestAgain(path: string, last: unknown): Remembered {
  const entry: Remembered = { requestedAt: Date.now(), pending: request(path), content: last };
  remembered.delete(path);
  remembered.set(path, entry);
  const [oldest = ''] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED) remembered.delete(oldest);
  entry.pending.then(
    (content) => {
      entry.content = content;
    },
    (error: unknown) => {
      // A missing file is requested again after a minute. After other errors, the next read tries again.
      if (remembered.get(path) !== entry) return;
      if (error instanceof SiteError && !error.isPassing) entry.content = undefined;
      else if (last === undefined) remembered.delete(path);
      else remembered.set(path, { ...entry, requestedAt: 0, pending: Promise.resolve(last) });
    },
  );
  return entry;
}

/** Caches of the browser apply. */
async function request(path: string): Promise<unknown> {
  const response = await fetch(siteUrl(path)).catch(() => {
    throw new SiteError('The site did not answer. Check your connection. Your place is kept.', {
      isPassing: true,
      details: `GET ${path} → no response`,
    });
  });
  const { status, ok: isOk } = response;
  const body: unknown = await response.json().catch(() => undefined);
  if (isOk && body !== undefined) return body;
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown };
  const reason = [error, message].filter((text) => typeof text === 'string').join(': ');
  const isPassing = isOk || status >= 500 || status === 429;
  const details = `GET ${path} → ${status}${isOk ? ', not JSON' : ''}`;
  throw new SiteError(reason === '' ? `The site returned status ${status}.` : reason, { isPassing, status, details });
}

function siteUrl(path: string): string {
  return new URL(path, ROOT).href;
}

/** Returns the URL of the site's own copy of an image; undefined for any other image. */
export function ownImage(uri: string | undefined): string | undefined {
  const [path] = /images\/[0-9a-f]{64}(?:\.thumb)?\.[a-z]+$/.exec(uri ?? '') ?? [];
  return path === undefined ? undefined : siteUrl(path);
}
