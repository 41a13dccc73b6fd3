// Draws the path from the first page to the current one.
import { Icon } from './icon.tsx';

/** `trail`: texts and links after the first page; the last one is the current page. */
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
