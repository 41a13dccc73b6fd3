// Follows the history of this tab: which place is shown, how far each was scrolled, and what was unfolded there.
import { useLayoutEffect, useState } from 'preact/hooks';
import { parseJson } from '#text/parse-json.ts';
import { keep, readStored } from './browser-storage.ts';

interface Visit {
  readonly id: string;
  readonly fragment: string;
  /** True for an entry that was shown before: Back, Forward, or a page that is loaded again. */
  readonly isReturn: boolean;
}

const SCROLLED = 'stxpress-scrolled-to';
/** How long a page may grow until its place is reached. */
const GROWS_MS = 3_000;

const scrolled = new Map<string, number>(
  (parseJson(readStored('sessionStorage', SCROLLED) ?? '') as [string, number][] | undefined) ?? [],
);
const kept = new Map<string, unknown>();
let visits = 0;
let current: Visit = readVisit();

export function useVisit(): Visit {
  const [visit, setVisit] = useState(current);
  // Before the browser draws: no change of the fragment is missed.
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    const follow = () => {
      scrolled.set(current.id, scrollY);
      current = readVisit();
      setVisit(current);
    };
    const leave = () => {
      scrolled.set(current.id, scrollY);
      keep('sessionStorage', SCROLLED, JSON.stringify([...scrolled].slice(-100)));
    };
    // The explorer is there as long as the page is.
    addEventListener('hashchange', follow);
    addEventListener('pagehide', leave);
  }, []);
  return visit;
}

/** State that is there again when a reader returns to this entry of the history. */
export function useStored<Value>(name: string, initial: Value): readonly [Value, (value: Value) => void] {
  const [key] = useState(() => `${current.id} ${name}`);
  const [value, setValue] = useState(kept.has(key) ? (kept.get(key) as Value) : initial);
  const keep = (next: Value) => {
    kept.set(key, next);
    setValue(() => next);
  };
  return [value, keep];
}

/** Scrolls to where a visit was left, as soon as the page is as high. */
export function scrollBack({ id }: Visit): void {
  const top = scrolled.get(id) ?? 0;
  const isThere = () => {
    scrollTo(0, top);
    return scrollY >= top - 1;
  };
  if (isThere()) return;
  const end = new AbortController();
  const growth = new ResizeObserver(() => isThere() && end.abort());
  end.signal.addEventListener('abort', () => growth.disconnect());
  growth.observe(document.body);
  setTimeout(() => end.abort(), GROWS_MS);
  // Whoever scrolls, or goes on, is not moved again.
  for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown', 'hashchange'])
    addEventListener(event, () => end.abort(), { signal: end.signal });
}

export function isReturning(): boolean {
  return current.isReturn;
}

function readVisit(): Visit {
  const { visit } = (history.state ?? {}) as { visit?: string };
  const id = visit ?? `${Date.now()}-${visits++}`;
  if (visit === undefined) history.replaceState({ visit: id }, '');
  return { id, fragment: location.hash, isReturn: visit !== undefined };
}
