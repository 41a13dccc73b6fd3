// Asks for something within a component: what is there, why not, or that it is on its way.
import { useEffect, useState } from 'preact/hooks';
import { answered, ask, type SiteError, toSiteError } from '../site.ts';

/** Neither an answer nor a trouble while it is on its way; both where only a part of the answer came. */
export interface Asked<Answer> {
  readonly answer?: Answer | undefined;
  readonly trouble?: SiteError | undefined;
  readonly retry?: () => void;
}

/** Runs work for a key, if any, and again when a reader asks. `show` takes what is there and says if more is wanted. */
export function useTask<Answer>(
  key: string | undefined,
  run: (show: (answer: Answer) => boolean) => Promise<unknown>,
): Asked<Answer> {
  const [asked, setAsked] = useState<Asked<Answer> & { readonly of?: string | undefined }>({});
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (key === undefined) return;
    let isCurrent = true;
    const show = (answer: Answer) => {
      if (isCurrent) setAsked({ answer, of: key });
      return isCurrent;
    };
    run(show).catch((error: unknown) => {
      const failed = { trouble: toSiteError(error), retry: () => setTries(tries + 1), of: key };
      if (isCurrent) setAsked(({ answer, of }) => ({ ...failed, answer: of === key ? answer : undefined }));
    });
    return () => {
      isCurrent = false;
    };
  }, [key, tries]);
  return asked.of === key ? asked : {};
}

/** Undefined asks nothing. Whoever comes back to the window sees what is there now. */
export function useResponse<Answer>(path: string | undefined): Asked<Answer> {
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && setLooks((before) => before + 1);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  const asked = useTask<Answer>(path && `${looks} ${path}`, async (show) => show(await ask<Answer>(path ?? '')));
  // Whoever goes back sees at once what was there; it stays while it is asked again, or the site cannot be reached.
  const known = path === undefined ? undefined : answered<Answer>(path);
  return known === undefined || (asked.answer !== undefined && asked.trouble === undefined) ? asked : { answer: known };
}

/** The answer of a path in a locale, or empty for its own: while another is on its way, what is there stays. */
export function useLocalized<Answer>(path: string, locale: string): Asked<Answer> {
  const plain = useResponse<Answer>(path);
  const localized = useResponse<Answer>(locale === '' ? undefined : `variants/locale/${locale}/${path}`);
  return localized.answer === undefined && localized.trouble === undefined ? plain : localized;
}
