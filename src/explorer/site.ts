// Asks the site that the page is on: an answer, or why there is none.

/** Where the site begins, below a path too, as on GitHub Pages. */
const ROOT = new URL('.', document.baseURI);

/** Why something cannot be shown, in words for a reader. */
export class SiteError extends Error {
  /** True if it may be gone when it is tried again. */
  readonly isPassing: boolean;
  /** Status of the site's answer, if it answered. */
  readonly status: number | undefined;
  constructor(message: string, { isPassing = false, status }: { isPassing?: boolean; status?: number } = {}) {
    super(message);
    this.isPassing = isPassing;
    this.status = status;
  }
}

export function toSiteError(error: unknown): SiteError {
  if (error instanceof SiteError) return error;
  reportError(error);
  return new SiteError('Something went wrong. Reload the page; if it happens again, please report it.');
}

/** As long as caches may hold an answer of the site. */
const FRESH_MS = 60_000;
/** A search of all names reads more, once. */
const MOST_KEPT = 200;

interface Known {
  readonly asked: number;
  readonly answer: Promise<Answered>;
  /** What came last, while it is asked again too. */
  arrived?: Answered | undefined;
}

interface Answered {
  readonly body: unknown;
  readonly tag: string | null;
}

const known = new Map<string, Known>();

/** A path is asked again after a minute: what did not change since is the same object. */
export async function ask<Answer>(path: string): Promise<Answer> {
  const last = known.get(path);
  const isFresh = last !== undefined && Date.now() - last.asked < FRESH_MS;
  const { answer } = isFresh ? last : refetch(path, last?.arrived);
  return (await answer).body as Answer;
}

/** Every path is asked anew: what is known may be of a site that was built again since. */
export function clearResponses(): void {
  known.clear();
}

export function answered<Answer>(path: string): Answer | undefined {
  return known.get(path)?.arrived?.body as Answer | undefined;
}

function refetch(path: string, arrived: Answered | undefined): Known {
  const own: Known = { asked: Date.now(), answer: request(path, arrived), arrived };
  known.delete(path);
  known.set(path, own);
  const [oldest = ''] = known.keys();
  if (known.size > MOST_KEPT) known.delete(oldest);
  own.answer.then(
    (now) => {
      own.arrived = now;
    },
    (error: unknown) => {
      // What failed is asked again the next time; what is not there, after a minute.
      if (known.get(path) !== own) return;
      if (error instanceof SiteError && !error.isPassing) own.arrived = undefined;
      else if (arrived !== undefined) known.set(path, { ...own, asked: 0, answer: Promise.resolve(arrived) });
      else known.delete(path);
    },
  );
  return own;
}

/** What is known already is compared with the site's, whatever caches hold: 304 if it is the same. */
async function request(path: string, last: Answered | undefined): Promise<Answered> {
  const cache = last === undefined ? 'default' : 'no-cache';
  const response = await fetch(siteUrl(path), { cache }).catch(() => {
    throw new SiteError('The site cannot be reached. Look at your connection, and try again.', { isPassing: true });
  });
  const tag = response.headers.get('ETag');
  if (response.ok && last !== undefined && tag !== null && tag === last.tag) return last;
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return { body, tag };
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown };
  const said = [error, message].filter((text) => typeof text === 'string').join(': ');
  const { status } = response;
  const noAnswer = `The site answered ${status} for ${path}${response.ok ? ', and no JSON' : ''}.`;
  const isPassing = response.ok || status >= 500 || status === 429;
  throw new SiteError(said === '' ? noAnswer : said, { isPassing, status });
}

function siteUrl(path: string): string {
  return new URL(path, ROOT).href;
}

/** The site's own copy of an image, wherever its URI says that the site is; undefined for any other. */
export function ownImage(uri: string | undefined): string | undefined {
  const [path] = /images\/[0-9a-f]{64}(?:\.thumb)?\.[a-z]+$/.exec(uri ?? '') ?? [];
  return path === undefined ? undefined : siteUrl(path);
}
