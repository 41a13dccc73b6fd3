// The search box, a combobox of ARIA: tokens by symbol or name, contracts by the beginning of their name or id.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type Found, search } from '../search.ts';
import { clearResponses } from '../site.ts';
import { CONTRACTS_AT_FIRST, firstPlace, Results, summaryOf } from './search-results.tsx';

/** Between the last letter and the search. */
const PAUSE_MS = 120;

export function SearchBox() {
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState<Found>();
  /** The text that a reader wanted to open, and was not found. */
  const [entered, setEntered] = useState<string>();
  /** Which option the arrow keys are at: none at first. */
  const [active, setActive] = useState(-1);
  const typed = text.trim();
  const shown = isOpen && typed !== '' ? found : undefined;
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const change = (next: string) => {
    setText(next);
    setActive(-1);
    setEntered(undefined);
  };
  const clear = () => {
    change('');
    close();
  };
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    // The box is on every page.
    addEventListener('keydown', focus);
    addEventListener('hashchange', clear);
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
  useEffect(() => {
    document.getElementById(`option-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const openFirst = async () => {
    setOpen(true);
    if (typed === '') return setEntered('');
    const now = found?.typed === typed ? found : await search(typed, CONTRACTS_AT_FIRST);
    // Something else may have been typed since.
    if (input.current?.value.trim() !== typed) return;
    const first = firstPlace(now);
    if (first === undefined || now.troubles.length > 0) {
      setFound(now);
      setEntered(typed);
      return;
    }
    location.hash = first;
    clear();
  };
  const searchAgain = async (known: Found, contracts: number) => {
    const now = await search(known.typed, contracts, known);
    setFound((current) => (current === known ? now : current));
  };
  const onKey = (event: KeyboardEvent) => {
    const options = form.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') {
      // First what was found, then what was typed.
      event.preventDefault();
      if (shown === undefined) change('');
      close();
    } else if (event.key === 'Enter' && options[active] !== undefined) {
      event.preventDefault();
      options[active].click();
    } else if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      // The box itself is one of the places.
      const places = options.length + 1;
      setActive(((active + 1 + step + places) % places) - 1);
    }
  };
  return (
    <form
      ref={form}
      class="search"
      onFocusOut={(event) => {
        if (!form.current?.contains(event.relatedTarget as Node | null)) close();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void openFirst();
      }}
    >
      <input
        ref={input}
        type="text"
        role="combobox"
        inputMode="search"
        enterKeyHint="go"
        value={text}
        onInput={(event) => {
          change(event.currentTarget.value);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onKeyDown={onKey}
        placeholder="Symbol, name, contract or address"
        aria-label="Find a token, a contract or an address"
        aria-autocomplete="list"
        aria-expanded={shown !== undefined}
        aria-controls="found"
        aria-activedescendant={shown !== undefined && active >= 0 ? `option-${active}` : undefined}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
      <p class="unseen" role="status">
        {shown !== undefined && summaryOf(shown, entered === shown.typed)}
      </p>
      {isOpen && typed === '' && entered === '' && (
        <div class="results">
          <p role="alert">Nothing is typed: there is nothing to open.</p>
        </div>
      )}
      {shown !== undefined && (
        <Results
          key={shown.typed}
          found={shown}
          wasEntered={entered === shown.typed}
          active={active}
          onMore={(enough) => searchAgain(shown, enough)}
          onRetry={() => {
            clearResponses();
            void searchAgain(shown, CONTRACTS_AT_FIRST);
          }}
        />
      )}
    </form>
  );
}
