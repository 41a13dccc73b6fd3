// Follows the history of the tab: the current place, how far each place was scrolled, and the state of its parts.
import { useLayoutEffect, useState } from 'preact/hooks';
import { parseJson } from '#text/parse-json.ts';
import { readStored, writeStored } from './browser-storage.ts';

interface Visit {
  readonly id: string;
  readonly fragment: string;
  /** True after Back, Forward and a reload. */
  readonly isReturn: boolean;
}

const SCROLLED = 'stxpress-scrolled-to';
/** The maximum number of places whose scroll position outlives a reload. */
const MAX_PLACES = 100;
/** Time in which a page may grow until its scroll position is reached. */
const GROW_MS = 3_000;

const scrolled = new Map<string, number>(
  (parseJson(readStored('sessionStorage', SCROLLED) ?? '') as [string, number][] | undefined) ?? [],
);
const states = new Map<string, unknown>();
let visits = 0;
let current: Visit = readVisit();

export function useVisit(): Visit {
  const [visit, setVisit] = useState(current);
  // Runs before the browser paints, so that no change of the fragment is missed.
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    const onPlace = () => {
      scrolled.set(current.id, scrollY);
      current = readVisit();
      setVisit(current);
    };
    const onLeave = () => {
      scrolled.set(current.id, scrollY);
      writeStored('sessionStorage', SCROLLED, JSON.stringify([...scrolled].slice(-MAX_PLACES)));
    };
    // The explorer exists as long as the page, so the listeners stay.
    addEventListener('hashchange', onPlace);
    addEventListener('pagehide', onLeave);
  }, []);
  return visit;
}

/** State that is restored when the reader returns to this entry of the history. */
export function useStored<Value>(name: string, initial: Value): readonly [Value, (value: Value) => void] {
  const [key] = useState(() => `${current.id} ${name}`);
  const [value, setValue] = useState(states.has(key) ? (states.get(key) as Value) : initial);
  const store = (next: Value) => {
    states.set(key, next);
    setValue(() => next);
  };
  return [value, store];
}

/** Scrolls to the stored position of a visit as soon as the page is high enough. */
export function scrollBack({ id }: Visit): void {
  const top = scrolled.get(id) ?? 0;
  const tryToScroll = () => {
    scrollTo(0, top);
    return scrollY >= top - 1;
  };
  if (tryToScroll()) return;
  const end = new AbortController();
  const growth = new ResizeObserver(() => tryToScroll() && end.abort());
  end.signal.addEventListener('abort', () => growth.disconnect());
  growth.observe(document.body);
  setTimeout(() => end.abort(), GROW_MS);
  // A reader who scrolls or leaves is not moved again.
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
