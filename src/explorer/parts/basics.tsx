// Draws the small parts that many pages have: badges, breadcrumbs, facts, filters, heights, JSON and tiles.
import type { ComponentChildren } from 'preact';
import { formatCount } from '#text/format-count.ts';
import { formatDay, shortAddress } from '../format.ts';
import type { Days } from '../responses.ts';
import { tileOf } from '../tile.ts';
import { useStored } from '../visits.ts';
import { Icon } from './icon.tsx';
import { Copy, Id } from './id.tsx';
import { useResponse } from './use-response.ts';

interface BadgeProps {
  readonly kind?: '' | 'std' | 'warn' | 'bad';
  readonly children: string;
}

export function Badge({ kind = '', children }: BadgeProps) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/**
 * Draws the path from the first page to the current one. `trail`: texts and links after the first page; the last one is
 * the current page.
 */
export function Crumbs({ trail }: { trail: readonly (readonly [text: string, href?: string])[] }) {
  return (
    <nav class="crumbs" aria-label="Breadcrumbs">
      {[['Explore', '#/'] as const, ...trail].map(([text, href]) =>
        href === undefined ? (
          <span key={text} aria-current="page">
            {text}
          </span>
        ) : (
          <>
            <a key={text} href={href}>
              {text}
            </a>
            <Icon name="right" />
          </>
        ),
      )}
    </nav>
  );
}

interface FactsProps {
  /** Draws rows at every width. */
  readonly isAside?: boolean;
  readonly children: ComponentChildren;
}

/** Draws facts: rows on phones and in the aside, elsewhere one line of equal cells. */
export function Facts({ isAside = false, children }: FactsProps) {
  return <dl class={isAside ? 'card facts side' : 'card facts gap'}>{children}</dl>;
}

/** Draws nothing for a value that is not known. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  if (children === undefined || children === null || children === false) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Links to everything that the deployer of a contract deployed. */
export function Deployer({ address }: { address: string }) {
  return (
    <Fact name="Deployer">
      <Id id={address} href={`#/address/${address}`} />
    </Fact>
  );
}

interface FilterProps {
  /** The label, which names the texts to filter by. */
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

export function Filter({ label, value, onInput }: FilterProps) {
  return (
    <label>
      <span class="unseen">{label}</span>
      <input
        class="field"
        type="text"
        placeholder={label}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        autocomplete="off"
        spellcheck={false}
      />
    </label>
  );
}

/** Says that a filter matches nothing, with a button that clears it. */
export function NoMatch({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <p class="row gap0">
      <span class="soft">No contract matches “{text}”.</span>
      <button type="button" class="btn small" onClick={onClear}>
        Clear
      </button>
    </p>
  );
}

/**
 * Draws a block height with its date, once the days of the site are loaded: `17 Dec 2024 block 328,526`. `isShort`: only
 * the block and the date in one style.
 */
export function Height({ value, isShort = false }: { value: number; isShort?: boolean }) {
  const { content } = useResponse<Days>('metadata/v1/days');
  const [, day] = content?.days.findLast(([first]) => first <= value) ?? [];
  const block = `block ${formatCount(value)}`;
  if (day === undefined) return <>{block}</>;
  const time = <time dateTime={day}>{formatDay(day)}</time>;
  if (isShort)
    return (
      <>
        {block} · {time}
      </>
    );
  return (
    <>
      {time} <small>{block}</small>
    </>
  );
}

/** Draws the path of a response, to open and to copy. */
export function JsonPath({ what, path }: { what: string; path: string }) {
  return (
    <section class="card">
      <p class="tools">
        <span>{what} as JSON</span>
        <Copy text={new URL(path, document.baseURI).href} what="URL" />
      </p>
      <div class="tools">
        <a href={path} class="uri mono" title={path}>
          /{path.replace(/S[MNPT][0-9A-Z]{26,39}/, shortAddress)}
        </a>
      </div>
    </section>
  );
}

/** Draws JSON or Clarity text in a part that scrolls, also by keys. */
export function JsonText({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must scroll by keys
    <pre class="json" tabIndex={0}>
      {children}
    </pre>
  );
}

/**
 * Returns the first rows of a list, and a button that shows more, with the number of rows shown. `name` names this number
 * for the way back to this page.
 */
export function useFirstRows<Row>(name: string, rows: readonly Row[], atFirst: number, step = atFirst) {
  const [shown, setShown] = useStored(name, atFirst);
  const total = rows.length;
  const more = shown < total && (
    <p class="row gap0">
      <button type="button" class="btn" onClick={() => setShown(shown + step)}>
        Show {formatCount(Math.min(step, total - shown))} more
      </button>
      <span class="sm soft num">
        {formatCount(shown)} of {formatCount(total)}
      </span>
    </p>
  );
  return [rows.slice(0, shown), more] as const;
}

/** Sizes: `s` 24 pixels, none 36, `l` 56 or 96, `full` the entire width. */
export type PictureSize = '' | 's' | 'l' | 'full';

/** Draws the tile of an id, which replaces a missing picture. */
export function Tile({ id, size = '' }: { id: string; size?: PictureSize }) {
  const { background, cells } = tileOf(id);
  return (
    <svg class={`pic ${size}`} viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" fill={background} />
      {cells.map(({ fill, shape }, index) => (
        <path key={index} transform={`translate(${(index & 1) * 8} ${(index >> 1) * 8})`} fill={fill} d={shape} />
      ))}
    </svg>
  );
}
