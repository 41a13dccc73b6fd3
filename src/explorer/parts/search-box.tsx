// The search box: tokens by symbol or name, contracts by the beginning of their name or id.
import { useEffect, useRef, useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { type ContractFence, findContracts } from '../find-contracts.ts';
import { findTokens, type TokenRow } from '../find-tokens.ts';
import { ask } from '../site.ts';
import { Foreign, Picture } from './pieces.tsx';

const MOST_TOKENS = 6;
const MOST_CONTRACTS = 8;
/** A part of a name that is worth reading all names for. */
const EVERYWHERE = /^[\w-]{3,60}$/;
/** Between the last letter and the search. */
const PAUSE_MS = 120;

interface Found {
  readonly text: string;
  readonly tokens: readonly TokenRow[];
  readonly contracts: readonly string[];
}

export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>();
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
    const asked = text.trim();
    if (asked === '') return setFound(undefined);
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const now = await search(asked);
      if (isCurrent) setFound(now);
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  const openFirst = async () => {
    const asked = text.trim();
    const [first] = linksOf(found?.text === asked ? found : await search(asked));
    if (first === undefined) return;
    location.hash = first;
    setText('');
    input.current?.blur();
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
      {found !== undefined && text.trim() !== '' && <Results found={found} />}
    </form>
  );
}

/** Along the box and what it found. Returns whether the key is one that does. */
function moveFocus(form: HTMLFormElement, key: string): boolean {
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  const places = [...form.querySelectorAll<HTMLElement>('input, .results a')];
  const at = places.indexOf(document.activeElement as HTMLElement);
  if (step !== 0) places[Math.min(Math.max(at + step, 0), places.length - 1)]?.focus();
  return step !== 0;
}

async function search(text: string): Promise<Found> {
  const [tokens, contracts] = await Promise.all([searchTokens(text), searchContracts(text)]);
  return { text, tokens, contracts };
}

function Results({ found: { tokens, contracts, text } }: { found: Found }) {
  return (
    <div class="results" role="status">
      {tokens.length + contracts.length === 0 && <p>Nothing is found for “{text}”.</p>}
      {tokens.length > 0 && (
        <ul>
          {tokens.map((row) => (
            <li key={row[1]}>
              <TokenLink row={row} />
            </li>
          ))}
        </ul>
      )}
      {contracts.length > 0 && (
        <ul>
          {contracts.map((id) => (
            <li key={id}>
              {id.includes(' ') ? (
                <span class="soft">{id.replace(' x ', ', ')} contracts: type a number</span>
              ) : (
                <a href={`#/contract/${id}`}>{id}</a>
              )}
            </li>
          ))}
        </ul>
      )}
      {EVERYWHERE.test(text) && (
        <p>
          <a href={`#/search/${text}`}>All contracts with “{text}” in their name</a>
        </p>
      )}
    </div>
  );
}

export function TokenLink({ row }: { row: TokenRow }) {
  const [kind, id, ofToken = '', symbol = '', image] = row;
  // The name that a row has for a collection is that of its first token.
  const name = kind === 'ft' && ofToken !== '' ? ofToken : splitContractId(id).name;
  return (
    <a class="token" href={hrefOf(row)}>
      <Picture uri={image} name={symbol === '' ? name : symbol} />
      <span>
        <strong>
          <Foreign text={name} />
        </strong>
        <span class="soft">
          {kind === 'ft' ? <Foreign text={symbol} /> : kind === 'nft' ? 'collection' : 'semi-fungible'}
        </span>
      </span>
    </a>
  );
}

function linksOf({ tokens, contracts }: Found): string[] {
  return [...tokens.map(hrefOf), ...contracts.filter((id) => !id.includes(' ')).map((id) => `#/contract/${id}`)];
}

function hrefOf([kind, id]: TokenRow): string {
  return kind === 'ft' ? `#/token/${id}` : `#/${kind}/${id}`;
}

/** A site may have no search files: then nothing is found there. */
async function searchTokens(text: string): Promise<TokenRow[]> {
  const rows = await ask<TokenRow[]>('search/tokens/index.json').catch(() => []);
  return findTokens(rows, text, MOST_TOKENS);
}

async function searchContracts(text: string): Promise<string[]> {
  try {
    const fence = await ask<ContractFence>('search/contracts/index.json');
    return (await findContracts(fence, (id) => ask(`search/contracts/${id}`), text)).slice(0, MOST_CONTRACTS);
  } catch {
    return [];
  }
}
