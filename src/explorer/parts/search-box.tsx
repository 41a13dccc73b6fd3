// The search box: tokens by symbol or name, contracts by the beginning of their name or id.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Found, search } from '../search.ts';
import { forgetAnswers } from '../site.ts';
import { CONTRACTS_AT_FIRST, Results } from './search-results.tsx';
import { hrefOfToken } from './token-link.tsx';

/** Between the last letter and the search. */
const PAUSE_MS = 120;

export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>();
  /** The text that a reader wanted to open, and was not found. */
  const [entered, setEntered] = useState('');
  const typed = text.trim();
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    const close = () => setText('');
    addEventListener('keydown', focus);
    addEventListener('hashchange', close);
    return () => {
      removeEventListener('keydown', focus);
      removeEventListener('hashchange', close);
    };
  }, []);
  useEffect(() => {
    if (typed === '') return setFound(undefined);
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const now = await search(typed, CONTRACTS_AT_FIRST);
      if (isCurrent) setFound(now);
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [typed]);
  const openFirst = async () => {
    if (typed === '') return;
    const now = found?.typed === typed ? found : await search(typed, CONTRACTS_AT_FIRST);
    // Something else may have been typed since.
    if (input.current?.value.trim() !== typed) return;
    const first = firstLink(now);
    if (first === undefined || now.troubles.length > 0) {
      setFound(now);
      setEntered(typed);
      return;
    }
    location.hash = first;
    setText('');
    input.current?.blur();
  };
  const searchAgain = async (known: Found, contracts: number) => {
    const now = await search(known.typed, contracts, known);
    setFound((current) => (current === known ? now : current));
  };
  return (
    <form
      class="search"
      onKeyDown={(event) => {
        if (event.key === 'Escape') setText('');
        else if (moveFocus(event.currentTarget, event.key)) event.preventDefault();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void openFirst();
      }}
    >
      <input
        ref={input}
        type="search"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        placeholder="Symbol, name, contract or address"
        aria-label="Find a token or a contract"
        autocomplete="off"
        spellcheck={false}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
      {found !== undefined && typed !== '' && (
        <Results
          key={found.typed}
          found={found}
          wasEntered={entered === found.typed}
          onMore={(enough) => searchAgain(found, enough)}
          onRetry={() => {
            forgetAnswers();
            void searchAgain(found, CONTRACTS_AT_FIRST);
          }}
        />
      )}
    </form>
  );
}

/** Along the box and what it found. Returns whether the key is one that does. */
function moveFocus(form: HTMLFormElement, key: string): boolean {
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  const places = [...form.querySelectorAll<HTMLElement>('input, .results a, .results button')];
  const at = places.indexOf(document.activeElement as HTMLElement);
  if (step !== 0) places[Math.min(Math.max(at + step, 0), places.length - 1)]?.focus();
  return step !== 0;
}

function firstLink({ text, number, tokens: [token], contracts: { found } }: Found): string | undefined {
  if (token !== undefined) return hrefOfToken(token, token[1] === text ? number : undefined);
  return found[0] === undefined ? undefined : `#/contract/${found[0]}`;
}
