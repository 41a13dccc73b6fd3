// Draws what the search box found, as options of its list: how much there is, some of it, and more on demand.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '#text/format-count.ts';
import { isTransactionId } from '../asked.ts';
import type { Found } from '../search.ts';
import {
  CONTRACTS_AT_FIRST,
  groupsOf,
  isNothing,
  MORE,
  NO_TRANSACTIONS,
  type Option,
  summaryOf,
  TOKENS_AT_FIRST,
} from './found-groups.tsx';
import { Retry } from './pieces.tsx';

interface Props {
  readonly found: Found;
  /** True if a reader wanted to open the first of it. */
  readonly wasEntered: boolean;
  readonly active: number;
  /** Looks for so many contracts. */
  readonly onMore: (enough: number) => void;
  readonly onRetry: () => void;
}

export function Results({ found, wasEntered, active, onMore, onRetry }: Props) {
  const { text, contracts, troubles } = found;
  const [most, setMost] = useState({ tokens: TOKENS_AT_FIRST, contracts: CONTRACTS_AT_FIRST });
  const groups = groupsOf(found, most, (part) => {
    const next = most[part] + MORE;
    setMost({ ...most, [part]: next });
    if (part === 'contracts') onMore(next);
  });
  let index = 0;
  return (
    // What has the focus keeps it: the box.
    // biome-ignore lint/a11y/noStaticElementInteractions: this is no interaction of its own
    <div class="results" onMouseDown={(event) => event.preventDefault()}>
      {troubles.length > 0 && (
        <div class="problem" role="alert">
          {troubles.map((trouble) => (
            <p key={trouble}>{trouble}</p>
          ))}
          <Retry onClick={onRetry} />
        </div>
      )}
      {isNothing(found) && <p>{summaryOf(found, wasEntered)}</p>}
      <div id="found" role="listbox" aria-label="Found">
        {groups.map(({ name, count, options }) => (
          // biome-ignore lint/a11y/useSemanticElements: no fieldset may be in a listbox
          <div key={name} role="group" aria-label={`${name} ${count}`}>
            {count !== '' && (
              <p class="soft" aria-hidden="true">
                {name}: {count}
              </p>
            )}
            {options.map(({ key, to, drawn }) => (
              <OptionLine key={key} index={index} isActive={index++ === active} to={to}>
                {drawn}
              </OptionLine>
            ))}
          </div>
        ))}
      </div>
      {contracts.families.map(([pattern, size]) => (
        <p key={pattern} class="soft">
          {formatCount(size)} of them are called {pattern}: type on, with a number.
        </p>
      ))}
      {isTransactionId(text) && !isNothing(found) && <p class="soft">{NO_TRANSACTIONS}</p>}
    </div>
  );
}

interface LineProps {
  readonly index: number;
  readonly isActive: boolean;
  readonly to: Option['to'];
  readonly children: ComponentChildren;
}

function OptionLine({ index, isActive, to, children }: LineProps) {
  const shared = { id: `option-${index}`, role: 'option', tabIndex: -1, 'aria-selected': isActive } as const;
  if (typeof to === 'string')
    return (
      <a {...shared} class="token" href={to}>
        {children}
      </a>
    );
  return (
    <button {...shared} type="button" onClick={to}>
      {children}
    </button>
  );
}
