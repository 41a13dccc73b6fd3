// Draws placeholders while a page loads: texts that are known, and bars in place of the others.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from './note.tsx';
import type { Loaded } from './use-response.ts';

/** Faster responses show no placeholder, so that nothing flashes. */
const DELAY_MS = 300;
/** Keeps the footer where it is when the content comes. */
const MIN_HEIGHT = 'min(75vh, 33rem)';

export function Bar({ width, height = '1rem' }: { width: string; height?: string }) {
  return <span class="skel" style={{ display: 'block', width, height }} />;
}

interface ShownProps<Content> {
  readonly loaded: Loaded<Content>;
  /** The name of the loading part, for screen readers. */
  readonly name?: string;
  readonly placeholder?: ComponentChildren;
  readonly children: (content: Content) => ComponentChildren;
}

/** Draws the content, its placeholder while it loads, or the error. */
export function Shown<Content>({ loaded, name = '', placeholder, children }: ShownProps<Content>) {
  if (loaded.content !== undefined) return <>{children(loaded.content)}</>;
  if (loaded.error !== undefined) return <Problem {...loaded} title="This page could not be loaded" />;
  return <Placeholder name={name}>{placeholder ?? <Lines />}</Placeholder>;
}

export function Lines() {
  return (
    <div class="stack">
      <Bar width="100%" />
      <Bar width="92%" />
      <Bar width="60%" />
    </div>
  );
}

export function Placeholder({ name, children }: { name: string; children: ComponentChildren }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="waiting" aria-busy="true" style={{ minHeight: MIN_HEIGHT }}>
      <p class="unseen" role="status">
        {isLate && `Loading ${name}`}
      </p>
      {isLate && children}
    </div>
  );
}
