// Draws the small pieces that all pages are made of.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { isBlank, UNNAMED } from '#model/shown-name.ts';
import { formatCount } from '#text/format-count.ts';
import { ownImage, type SiteError } from '../site.ts';
import type { Asked } from './use-response.ts';

const MAX_TITLE = 100;

/** Takes the focus when its page is opened, and titles the window. `title`: also drawn, where there are no children. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  useLayoutEffect(() => {
    document.title = `${cut(title, MAX_TITLE)} · stxpress`;
  }, [title]);
  return <h1 tabIndex={-1}>{children ?? title}</h1>;
}

/** `count`: how much is in it. Nothing is drawn of what is empty. */
export function Section({ title, count, children }: { title: string; count?: number; children: ComponentChildren }) {
  if (count === 0) return null;
  return (
    <section>
      <h2>
        {title} {count !== undefined && <span class="soft">{formatCount(count)}</span>}
      </h2>
      {children}
    </section>
  );
}

interface ShownProps<Answer> {
  readonly asked: Asked<Answer>;
  readonly children: (answer: Answer) => ComponentChildren;
}

/** Draws an answer, a place that is as high while it is on its way, or why there is none. */
export function Shown<Answer>({ asked, children }: ShownProps<Answer>) {
  if (asked.answer !== undefined) return <>{children(asked.answer)}</>;
  if (asked.trouble !== undefined) return <Problem {...asked} />;
  return (
    <p class="waiting soft" role="status">
      Loading…
    </p>
  );
}

export function Problem({ trouble, retry }: { trouble?: SiteError | undefined; retry?: (() => void) | undefined }) {
  if (trouble === undefined) return null;
  return (
    <p class="problem" role="alert">
      {trouble.message} {retry !== undefined && trouble.isPassing && <Retry onClick={retry} />}
    </p>
  );
}

export function Retry({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" onClick={onClick}>
      Try again
    </button>
  );
}

/** A logo or picture: the site's own copy alone, or a letter where there is none. */
export function Picture({ uri, name, large = false }: { uri: string | undefined; name: string; large?: boolean }) {
  const [broken, setBroken] = useState<string>();
  const own = ownImage(uri);
  const size = large ? 'picture large' : 'picture';
  if (own === undefined || own === broken)
    return (
      <span class={size} aria-hidden="true">
        {[...name.trim()][0] ?? '?'}
      </span>
    );
  return <img class={size} src={own} alt="" loading="lazy" onError={() => setBroken(own)} />;
}

/** The first text that readers see. */
export function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => !isBlank(text)) ?? '';
}

/** A token's name, or a label that does not look like a name. */
export function TokenName({ name }: { name: string | undefined }) {
  return isBlank(name) ? <em>{UNNAMED}</em> : <Foreign text={name ?? ''} />;
}

/** A name or a description may have megabytes. */
const MAX_TEXT = 5_000;

/** Text of the chain or a document: of any length, and of any script, whose direction is its own. */
export function Foreign({ text }: { text: string }) {
  return <bdi>{cut(text)}</bdi>;
}

export function cut(text: string, most = MAX_TEXT): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** `asked`: what is known of it, since nothing leads to what is not there. */
export function RawLink({ path, asked }: { path: string; asked?: Asked<unknown> }) {
  if (asked?.trouble?.status === 404) return null;
  return (
    <p class="raw">
      <a href={path}>As JSON</a>
    </p>
  );
}

export interface Link {
  readonly href: string;
  readonly text: string;
  readonly more?: ComponentChildren;
}

export function Links({ links, kind = 'newest' }: { links: readonly Link[]; kind?: 'newest' | 'names' }) {
  return (
    <ul class={kind}>
      {links.map(({ href, text, more }) => (
        <li key={href}>
          <a href={href}>{text}</a> {more}
        </li>
      ))}
    </ul>
  );
}

export const toContract = (id: string): Link => ({ href: `#/contract/${id}`, text: id });

export function More({ left, onClick }: { left: number; onClick: () => void }) {
  if (left <= 0) return null;
  return (
    <button type="button" onClick={onClick}>
      {formatCount(left)} more
    </button>
  );
}
