// Asks the site within a component: what it answers, why not, or that it is on its way.
import { useEffect, useState } from 'preact/hooks';
import { answered, ask, type Trouble, toTrouble } from '../site.ts';

export type Asked<Answer> =
  | { readonly state: 'waiting' }
  | { readonly state: 'there'; readonly answer: Answer }
  | { readonly state: 'trouble'; readonly trouble: Trouble; readonly retry?: () => void };

/** Undefined asks nothing. Whoever comes back to the window sees what is there now. */
export function useAnswer<Answer>(path: string | undefined): Asked<Answer> {
  const [asked, setAsked] = useState<Asked<Answer> & { readonly of?: string | undefined }>({ state: 'waiting' });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && setTries((before) => before + 1);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  useEffect(() => {
    if (path === undefined) return;
    let isCurrent = true;
    ask<Answer>(path).then(
      (answer) => isCurrent && setAsked({ state: 'there', answer, of: path }),
      (error: unknown) => {
        const retry = () => setTries(tries + 1);
        // What was there stays while the site cannot be reached.
        const isWithout = answered(path) === undefined;
        if (isCurrent && isWithout) setAsked({ state: 'trouble', trouble: toTrouble(error), retry, of: path });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [path, tries]);
  if (asked.of === path) return asked;
  // Whoever goes back sees at once what was there.
  const known = path === undefined ? undefined : answered<Answer>(path);
  return known === undefined ? { state: 'waiting' } : { state: 'there', answer: known };
}

/** The answer of a path in a locale, or empty for its own: while another is on its way, what is there stays. */
export function useLocalized<Answer>(path: string, locale: string): Asked<Answer> {
  const plain = useAnswer<Answer>(path);
  const localized = useAnswer<Answer>(locale === '' ? undefined : `variants/locale/${locale}/${path}`);
  return locale === '' || localized.state === 'waiting' ? plain : localized;
}
