// Draws the search box, a combobox: tokens by symbol or name, contracts by the beginning of their name or id.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Found, search } from '../search.ts';
import { clearResponses } from '../site.ts';
import { Icon } from './icon.tsx';
import { CONTRACTS_AT_FIRST, firstPlace, Results, summaryOf } from './search-results.tsx';

/** Time between the last key and the search. */
const PAUSE_MS = 120;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** `isBig`: in the first part of the home page. */
export function SearchBox({ isBig = false }: { isBig?: boolean }) {
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState<Found>();
  /** The reason why the entered text cannot be used. */
  const [problem, setProblem] = useState<string>();
  /** The index of the chosen option; -1 for the box itself. */
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
    setProblem(undefined);
  };
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const { target } = event;
      const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    const clear = () => {
      change('');
      close();
    };
    addEventListener('keydown', focus);
    addEventListener('hashchange', clear);
    return () => {
      removeEventListener('keydown', focus);
      removeEventListener('hashchange', clear);
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
  useEffect(() => {
    document.getElementById(`option-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const openFirst = async () => {
    setOpen(true);
    if (typed === '') return setProblem('Type a name, a symbol or an address first.');
    const now = found?.typed === typed ? found : await search(typed, CONTRACTS_AT_FIRST);
    // The reader may have typed something else since.
    if (input.current?.value.trim() !== typed) return;
    const first = firstPlace(now);
    const isComplete = now.problems.length === 0;
    if (first === undefined || !isComplete) setFound(now);
    if (isComplete) location.hash = first ?? placeOfText(typed);
  };
  const searchAgain = async (last: Found, enough: number) => {
    const now = await search(last.typed, enough, last);
    setFound((current) => (current?.typed === last.typed ? now : current));
  };
  const onKey = (event: KeyboardEvent) => {
    const options = [...(form.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])];
    const step = STEPS[event.key];
    if (event.key === 'Escape') {
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
      class={isBig ? 'search big' : 'search'}
      onFocusOut={(event) => {
        if (!form.current?.contains(event.relatedTarget as Node | null)) close();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void openFirst();
      }}
    >
      <Icon name="search" />
      <input
        ref={input}
        class="field"
        type="text"
        role="combobox"
        enterKeyHint="go"
        value={text}
        onInput={(event) => {
          change(event.currentTarget.value);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onKeyDown={onKey}
        placeholder={isBig ? 'Symbol, name, contract or address' : 'Search tokens and contracts'}
        aria-label="Search tokens, contracts and addresses"
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
        {shown !== undefined && summaryOf(shown)}
      </p>
      {isOpen && typed === '' && problem !== undefined && (
        <p class="drop card pad" role="alert">
          {problem}
        </p>
      )}
      {shown !== undefined && (
        <Results
          key={shown.typed}
          found={shown}
          active={active}
          onMore={(enough) => void searchAgain(shown, enough)}
          onRetry={() => {
            clearResponses();
            void searchAgain(shown, CONTRACTS_AT_FIRST);
          }}
        />
      )}
    </form>
  );
}

/** The page of a search that found nothing, or the same place for a text that such a page cannot show. */
function placeOfText(typed: string): string {
  return /^[\w.-]{1,60}$/.test(typed) ? `#/search/${typed}` : location.hash;
}
