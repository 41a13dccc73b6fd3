// Draws headings, names and texts from the chain, and pictures.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { isBlank, UNNAMED } from '#model/shown-name.ts';
import { formatCount } from '#text/format-count.ts';
import { ownImage, SITE_NAME } from '../site.ts';
import { type PictureSize, Tile } from './basics.tsx';
import { Lines, Placeholder } from './skeleton.tsx';

const MAX_TITLE = 100;
/** Longer headings are smaller. */
const LONG_HEADING = 60;
/** A name or a description may have megabytes. */
const MAX_TEXT = 5_000;
/** The maximum length of a name or a symbol in a place with little room. */
export const MAX_SHORT = 40;

interface HeadingProps {
  /** The title of the window. Drawn, too, if there are no children. */
  readonly title: string;
  readonly kind?: '' | 'mono' | 'none';
  readonly children?: ComponentChildren;
  /** The text whose length decides the size. */
  readonly text?: string | undefined;
}

/** The heading of a page, which takes the focus when the page opens. */
export function Heading({ title, kind = '', text = title, children }: HeadingProps) {
  useLayoutEffect(() => {
    document.title = `${cut(title, MAX_TITLE)} · ${SITE_NAME}`;
  }, [title]);
  const isLong = text.length > LONG_HEADING;
  return (
    <h1 tabIndex={-1} class={isLong ? `${kind} long` : kind} title={isLong ? cut(text) : undefined}>
      {children ?? title}
    </h1>
  );
}

interface SectionProps {
  readonly title: string;
  /** Number of things in the section. For 0, only `empty` is drawn, or nothing without it. */
  readonly count?: number;
  /** The sentence that replaces an empty list. */
  readonly empty?: string;
  /** The order or the source of a list. */
  readonly note?: ComponentChildren;
  /** True until the parts above it are known, so that it does not move. */
  readonly isWaiting?: boolean;
  readonly children?: ComponentChildren;
}

export function Section({ title, count, empty, note, isWaiting = false, children }: SectionProps) {
  if (isWaiting)
    return (
      <Placeholder name={title}>
        <Lines />
      </Placeholder>
    );
  const isEmpty = count === 0;
  if (isEmpty && empty === undefined) return null;
  return (
    <section>
      <div class="head">
        <h2>
          {title} {!isEmpty && count !== undefined && <span class="soft num">{formatCount(count)}</span>}
        </h2>
        {!isEmpty && (typeof note === 'string' ? <p class="sm soft">{note}</p> : note)}
      </div>
      {isEmpty ? <p class="sm soft">{empty}</p> : children}
    </section>
  );
}

/** A token's name, or a label that does not look like a name. */
export function TokenName({ name }: { name: string | undefined }) {
  return isBlank(name) ? <bdi class="none">{UNNAMED}</bdi> : <Foreign text={name ?? ''} />;
}

/** Text from the chain or a document, cut to {@link MAX_TEXT}, with its own direction. */
export function Foreign({ text }: { text: string }) {
  return <bdi>{cut(text)}</bdi>;
}

export function cut(text: string, maxLength = MAX_TEXT): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}

interface PictureProps {
  readonly uri: string | undefined;
  /** The id whose tile replaces a missing or broken picture. */
  readonly id: string;
  readonly size?: PictureSize;
  readonly alt?: string;
}

/** Draws the site's own copy of a picture. Pictures of other sites are never requested. */
export function Picture({ uri, id, size = '', alt = '' }: PictureProps) {
  const [broken, setBroken] = useState<string>();
  const copy = ownImage(uri);
  if (copy === undefined || copy === broken) return <Tile id={id} size={size} />;
  return <img class={`pic ${size}`} src={copy} alt={alt} loading="lazy" onError={() => setBroken(copy)} />;
}
