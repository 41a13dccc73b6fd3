// Draws the heading of a page, which takes the focus when the page is opened, and titles the window.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { cut } from './pieces.tsx';

const MAX_TITLE = 100;

/** `title`: as plain text; also drawn, where there are no children. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  useLayoutEffect(() => {
    document.title = `${cut(title, MAX_TITLE)} · stxpress`;
  }, [title]);
  return <h1 tabIndex={-1}>{children ?? title}</h1>;
}
