// Asks the site that the page is on: an answer, or why there is none.

/** Where the site begins, below a path too, as on GitHub Pages. */
const ROOT = new URL('.', document.baseURI);

/** Why something cannot be shown, in words for a reader. */
export class Trouble extends Error {
  /** True if it may be gone when it is tried again. */
  readonly isPassing: boolean;
  constructor(message: string, { isPassing = false } = {}) {
    super(message);
    this.isPassing = isPassing;
  }
}

/** Makes a trouble of whatever was thrown. */
export function toTrouble(error: unknown): Trouble {
  if (error instanceof Trouble) return error;
  reportError(error);
  return new Trouble('Something went wrong. Reload the page; if it happens again, please report it.');
}

const answers = new Map<string, Promise<unknown>>();
const arrived = new Map<string, unknown>();

/** Each path is asked once; what failed is asked again the next time. */
export function ask<Answer>(path: string): Promise<Answer> {
  const known = answers.get(path);
  if (known !== undefined) return known as Promise<Answer>;
  const answer = request(path);
  answers.set(path, answer);
  answer.then(
    (body) => arrived.set(path, body),
    () => answers.delete(path),
  );
  return answer as Promise<Answer>;
}

/** Every path is asked anew: what is known may be of a site that was built again since. */
export function forgetAnswers(): void {
  answers.clear();
  arrived.clear();
}

/** Returns what a path answered before. */
export function answered<Answer>(path: string): Answer | undefined {
  return arrived.get(path) as Answer | undefined;
}

async function request(path: string): Promise<unknown> {
  const response = await fetch(siteUrl(path)).catch(() => {
    throw new Trouble('The site cannot be reached. Look at your connection, and try again.', { isPassing: true });
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body;
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown };
  const said = [error, message].filter((text) => typeof text === 'string').join(': ');
  const noAnswer = `The site answered ${response.status} for ${path}${response.ok ? ', and no JSON' : ''}.`;
  const isPassing = response.ok || response.status >= 500 || response.status === 429;
  throw new Trouble(said === '' ? noAnswer : said, { isPassing });
}

export function siteUrl(path: string): string {
  return new URL(path, ROOT).href;
}

/** The site's own copy of an image, wherever its URI says that the site is; undefined for any other. */
export function ownImage(uri: string | undefined): string | undefined {
  const [path] = /images\/[0-9a-f]{64}(?:\.thumb)?\.[a-z]+$/.exec(uri ?? '') ?? [];
  return path === undefined ? undefined : siteUrl(path);
}
