// Draws the page of a search that found nothing: results of each word, other spellings, and what can be searched.
import { useMemo } from 'preact/hooks';
import { foldName, wordsOf } from '#layout/fold-names.ts';
import type { ContractNames } from '#routes/search-blocks.ts';
import { formatCount } from '#text/format-count.ts';
import { findByPart, unpackNames } from '../find-by-part.ts';
import { findTokens, type TokenRow } from '../find-tokens.ts';
import { nearWords } from '../near-words.ts';
import type { ApiStatus } from '../responses.ts';
import { isTransactionId } from '../search-text.ts';
import { placeOfSearch } from '../view.ts';
import { NO_TRANSACTIONS } from './search-options.tsx';
import { useResponse } from './use-response.ts';

const MAX_WORDS = 5;

interface Props {
  readonly text: string;
  readonly names: ContractNames;
  readonly tokens: readonly TokenRow[];
}

interface WordMatch {
  readonly word: string;
  readonly contracts: number;
  readonly tokens: number;
}

export function NothingFound({ text, names, tokens }: Props) {
  const { content: status } = useResponse<ApiStatus>('metadata/v1/index.json');
  const height = status?.chain_tip?.block_height;
  const isTransaction = isTransactionId(text);
  const [matches, spellings] = useMemo(() => {
    const words = isTransaction ? [] : [...new Set(wordsOf(foldName(text)))].slice(0, MAX_WORDS);
    const found = words.map((word) => countMatches(word, names, tokens));
    const known = found.filter((match) => match.contracts + match.tokens > 0);
    const unknown = words.filter((word) => !known.some((match) => match.word === word));
    const all = [...allNames(names, tokens)];
    return [known, [...new Set(unknown.flatMap((word) => nearWords(all, word)))]];
  }, [text, names, tokens]);
  return (
    <>
      {matches.length > 0 && <Words matches={matches} />}
      <div class="blank">
        {isTransaction && <p>{NO_TRANSACTIONS}</p>}
        {!isTransaction && status !== undefined && (
          <p>
            The names of all {formatCount(status.contracts)} contracts and {formatCount(status.tokens.ft)} tokens were
            searched.
          </p>
        )}
        {spellings.length > 0 && (
          <p class="row">
            <span>Other spellings:</span>
            {spellings.map((word) => (
              <a key={word} class="btn small" href={placeOfSearch(word)}>
                {word}
              </a>
            ))}
          </p>
        )}
        <ul>
          <li>Check the spelling, or type only the first letters of the name.</li>
          <li>
            An address starts with <code>SP</code> or <code>SM</code>. A contract id is an address, a dot and a name.
          </li>
          {!isTransaction && <li>Transactions and blocks are not on this site.</li>}
          {height !== undefined && <li>Contracts deployed after block {formatCount(height)} are not here yet.</li>}
        </ul>
        <a class="btn" href="#/">
          Browse all tokens
        </a>
      </div>
    </>
  );
}

function Words({ matches }: { matches: readonly WordMatch[] }) {
  return (
    <div class="two even gap">
      <section>
        <div class="head">
          <h2>Results for each word</h2>
        </div>
        <ul class="rows card">
          {matches.map(({ word, contracts, tokens }) => (
            <li key={word}>
              <a class="it" href={placeOfSearch(word)}>
                <span class="main">
                  <bdi>{word}</bdi>
                </span>
                <span class="num">
                  {formatCount(contracts)}
                  <small>{contracts === 1 ? 'contract' : 'contracts'}</small>
                </span>
                <span class="num">
                  {formatCount(tokens)}
                  <small>{tokens === 1 ? 'token' : 'tokens'}</small>
                </span>
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function countMatches(word: string, names: ContractNames, tokens: readonly TokenRow[]): WordMatch {
  const contracts = findByPart(names, word).reduce((sum, { count }) => sum + count, 0);
  return { word, contracts, tokens: findTokens(tokens, word).length };
}

function* allNames({ blocks }: ContractNames, tokens: readonly TokenRow[]): Generator<string> {
  for (const [, packed] of blocks) for (const { name } of unpackNames(packed)) yield name;
  for (const [, , name = '', symbol = ''] of tokens) yield* [name, symbol];
}
