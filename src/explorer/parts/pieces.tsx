// Draws the small pieces that all pages are made of.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { shortAddress } from '../format.ts';
import { ownImage, siteUrl, type Trouble } from '../site.ts';
import type { Asked } from './use-answer.ts';

/** Draws an answer, a place that is as high while it is on its way, or why there is none. */
export function Shown<Answer>({
  asked,
  children,
}: {
  asked: Asked<Answer>;
  children: (answer: Answer) => ComponentChildren;
}) {
  if (asked.state === 'there') return <>{children(asked.answer)}</>;
  if (asked.state === 'trouble') return <Problem trouble={asked.trouble} retry={asked.retry} />;
  return (
    <p class="waiting" role="status">
      Loading…
    </p>
  );
}

export function Problem({ trouble, retry }: { trouble: Trouble; retry?: (() => void) | undefined }) {
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

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface CopyableProps {
  readonly text: string;
  readonly short?: boolean;
  /** Where the text leads. */
  readonly href?: string;
}

export function Copyable({ text, short = false, href }: CopyableProps) {
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

/** A name that leads to the line of its definition. */
export function Defined({ name, line, contractId }: { name: string; line: number | undefined; contractId: string }) {
  return line === undefined ? <span>{name}</span> : <a href={`#/contract/${contractId}/${line}`}>{name}</a>;
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
