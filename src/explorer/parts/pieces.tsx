// Draws the small pieces that all pages are made of.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { formatCount } from '#text/format-count.ts';
import { shortAddress } from '../format.ts';
import { ownImage, siteUrl, type Trouble } from '../site.ts';
import type { Asked } from './use-answer.ts';

const MAX_TITLE = 100;

/**
 * The heading of a page, which takes the focus when the page is opened, and titles the window. `title`: as plain text;
 * also drawn, where there are no children.
 */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  useLayoutEffect(() => {
    document.title = `${cut(title, MAX_TITLE)} · stxpress`;
  }, [title]);
  return <h1 tabIndex={-1}>{children ?? title}</h1>;
}

/** `count`: how much is in it. */
export function Section({ title, count, children }: { title: string; count?: number; children: ComponentChildren }) {
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
    <p class="waiting" role="status">
      Loading…
    </p>
  );
}

/** Nothing where there is no trouble. */
export function Problem({ trouble, retry }: { trouble?: Trouble | undefined; retry?: (() => void) | undefined }) {
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

/** The first that is more than white space. */
export function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text.trim() !== '') ?? '';
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

export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

/** Nothing where its value is not known. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  if (children === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** `href`: where the text leads. */
export function Copyable({ text, short = false, href }: { text: string; short?: boolean; href?: string }) {
  const shown = <code>{short ? shortAddress(text) : text}</code>;
  return (
    <span class="copyable">
      {href === undefined ? shown : <a href={href}>{shown}</a>}
      <Copy text={text} label={`Copy ${text}`} />
    </span>
  );
}

/** Who deployed a contract, and all else that it deployed. */
export function Deployer({ address }: { address: string }) {
  return (
    <Fact name="Deployer">
      <Copyable text={address} short href={`#/address/${address}`} />
    </Fact>
  );
}

export function Copy({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState('copy');
  const copy = async () => {
    // A page that did not come by HTTPS has no clipboard.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(isCopied ? 'copied' : 'not allowed here');
    setTimeout(() => setSaid('copy'), 1_500);
  };
  return (
    <button type="button" onClick={copy} aria-label={label}>
      {said}
    </button>
  );
}

export function RawLink({ path }: { path: string }) {
  return (
    <p class="raw">
      <a href={siteUrl(path)}>As JSON</a>
    </p>
  );
}

export interface Link {
  readonly href: string;
  readonly text: string;
  readonly more?: ComponentChildren;
}

/** Links to contracts, each with what is said beside it. */
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

/** Asks for what is not shown yet. */
export function More({ left, onClick }: { left: number; onClick: () => void }) {
  if (left <= 0) return null;
  return (
    <button type="button" onClick={onClick}>
      {formatCount(left)} more
    </button>
  );
}

interface FormProps {
  readonly button: string;
  readonly label?: string;
  /** Returns a sentence that says why what was typed cannot be used. */
  readonly onSubmit: () => string | undefined;
  readonly children: ComponentChildren;
}

export function Form({ button, label, onSubmit, children }: FormProps) {
  const [refusal, setRefusal] = useState<string>();
  return (
    <form
      class="call"
      onSubmit={(event) => {
        event.preventDefault();
        setRefusal(onSubmit());
      }}
    >
      {children}
      <button type="submit" aria-label={label}>
        {button}
      </button>
      {refusal !== undefined && (
        <p class="soft" role="alert">
          {refusal}
        </p>
      )}
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly kind?: 'field' | 'number';
  readonly inputMode?: 'numeric' | 'url';
  readonly placeholder?: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

export function Field({ label, kind, onInput, ...input }: FieldProps) {
  return (
    <label class={kind}>
      <span class="soft">{label}</span>
      <input
        type="text"
        {...input}
        onInput={(event) => onInput(event.currentTarget.value)}
        autocomplete="off"
        spellcheck={false}
      />
    </label>
  );
}
