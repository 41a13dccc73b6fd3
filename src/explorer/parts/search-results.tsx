// Draws what the search box found: options in groups, and more on demand.
import { useState } from 'preact/hooks';
import type { Found } from '../search.ts';
import { isTransactionId } from '../search-text.ts';
import { Icon } from './icon.tsx';
import { Retry } from './note.tsx';
import {
  CONTRACTS_AT_FIRST,
  groupsOf,
  isNothing,
  type Limits,
  NO_TRANSACTIONS,
  type Option,
  summaryOf,
} from './search-options.tsx';

const TOKENS_AT_FIRST = 5;
const MORE = 100;

interface Props {
  readonly found: Found;
  /** The index of the option that the arrow keys chose; -1 for none. */
  readonly active: number;
  /** Called before an option opens another page. */
  readonly onLeave: () => void;
  readonly onMore: (enough: number) => void;
  readonly onRetry: () => void;
}

export function Results({ found, active, onLeave, onMore, onRetry }: Props) {
  const { text, problems } = found;
  const [limits, setLimits] = useState({ tokens: TOKENS_AT_FIRST, contracts: CONTRACTS_AT_FIRST });
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const showMore = (part: keyof Limits) => {
    const next = limits[part] + MORE;
    setLimits({ ...limits, [part]: next });
    if (part === 'contracts') onMore(next);
  };
  const groups = groupsOf(found, limits, opened, showMore, (first) => setOpened(new Set([...opened, first])));
  let index = 0;
  return (
    // The search box keeps the focus.
    // biome-ignore lint/a11y/noStaticElementInteractions: the handler only keeps the focus where it is
    <div class="drop card" onMouseDown={(event) => event.preventDefault()}>
      {problems.length > 0 && (
        <div class="note bad slim" role="alert">
          <Icon name="warn" />
          <div>
            {problems.map((problem) => (
              <p key={problem} class="sm">
                {problem}
              </p>
            ))}
            <p>
              <Retry onClick={onRetry} />
            </p>
          </div>
        </div>
      )}
      {isNothing(found) && <p class="pad">{summaryOf(found)}</p>}
      <div id="found" role="listbox" aria-label="Results">
        {groups.map(({ name, count = '', options }) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox may not contain a fieldset
          <div key={name} role="group" aria-label={`${name} ${count}`.trim()}>
            {count !== '' && (
              <p class="group" aria-hidden="true">
                {name} · {count}
              </p>
            )}
            {options.map((option) => (
              <OptionLine
                key={option.key}
                option={option}
                index={index}
                isActive={index++ === active}
                onLeave={onLeave}
              />
            ))}
          </div>
        ))}
      </div>
      {isTransactionId(text) && !isNothing(found) && <p class="row soft sm">{NO_TRANSACTIONS}</p>}
      <p class="row keys" aria-hidden="true">
        <span>
          <span class="key">↑</span> <span class="key">↓</span> choose
        </span>
        <span>
          <span class="key">Enter</span> open
        </span>
        <span>
          <span class="key">Esc</span> close
        </span>
      </p>
    </div>
  );
}

const SEARCHES = '#/search/';

interface OptionLineProps {
  readonly option: Option;
  readonly index: number;
  readonly isActive: boolean;
  readonly onLeave: () => void;
}

function OptionLine({ option, index, isActive, onLeave }: OptionLineProps) {
  const { to, children } = option;
  const shared = {
    id: `option-${index}`,
    role: 'option',
    class: 'it',
    tabIndex: -1,
    'aria-selected': isActive,
  } as const;
  if (typeof to === 'string')
    return (
      <a
        {...shared}
        href={to}
        onClick={({ button, ctrlKey, metaKey, shiftKey }) => {
          // Another window keeps this one where it is.
          if (button === 0 && !(ctrlKey || metaKey || shiftKey) && !to.startsWith(SEARCHES)) onLeave();
        }}
      >
        {children}
      </a>
    );
  return (
    <button {...shared} type="button" onClick={to}>
      {children}
    </button>
  );
}
