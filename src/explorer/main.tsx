// Starts the explorer: draws the page of the fragment, and the next one when the fragment changes.
import { type ComponentType, options, render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { escapeDirections } from '#text/quote.ts';
import { Address } from './pages/address.tsx';
import { Collection } from './pages/collection.tsx';
import { CollectionItem } from './pages/collection-item.tsx';
import { Contract } from './pages/contract.tsx';
import { Home } from './pages/home.tsx';
import { NotFound } from './pages/not-found.tsx';
import { Search } from './pages/search.tsx';
import { Token } from './pages/token.tsx';
import { Footer, Header } from './parts/frame.tsx';
import { pageKey, readView, type View } from './view.ts';
import { scrollBack, useVisit } from './visits.ts';

/** Time for the response that contains the page's name. */
const ANNOUNCE_MS = 400;

function Explorer() {
  const visit = useVisit();
  const view = readView(visit.fragment);
  const page = pageKey(view);
  const Page = PAGES[view.page] as ComponentType<View>;
  const announcement = useAnnouncement(page);
  const shown = useRef(page);
  useLayoutEffect(() => {
    const isOther = shown.current !== page;
    shown.current = page;
    if (isOther) focusHeading();
    if (visit.isReturn) scrollBack(visit);
    else if (isOther) scrollTo(0, 0);
  }, [visit]);
  return (
    <>
      <button type="button" class="unseen btn" onClick={focusHeading}>
        Skip to content
      </button>
      <Header isHome={view.page === 'home'} />
      <main class="wrap" id="page">
        <Page key={page} {...view} />
      </main>
      <Footer />
      <p class="unseen" role="status">
        {announcement}
      </p>
    </>
  );
}

function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

/** Returns the title of each page after the first one, which the browser announces itself. */
function useAnnouncement(page: string): string {
  const [title, setTitle] = useState('');
  const first = useRef(page);
  useEffect(() => {
    if (first.current === page) return;
    first.current = '';
    const timer = setTimeout(() => setTitle(document.title), ANNOUNCE_MS);
    return () => clearTimeout(timer);
  }, [page]);
  return title;
}

const PAGES: { readonly [Page in View['page']]: ComponentType<Extract<View, { page: Page }>> } = {
  home: Home,
  token: Token,
  contract: Contract,
  address: Address,
  collection: Collection,
  item: CollectionItem,
  search: Search,
  unknown: NotFound,
};

/** Escapes controls of direction in each text and label that is drawn. Copies and downloads keep them. */
options.vnode = (vnode) => {
  const node = vnode as { props: unknown };
  if (typeof node.props === 'string') node.props = escapeDirections(node.props);
  else
    for (const label of ['title', 'alt', 'aria-label']) {
      const { [label]: text } = vnode.props as Record<string, unknown>;
      if (typeof text === 'string') Object.assign(vnode.props, { [label]: escapeDirections(text) });
    }
};

const root = document.getElementById('explorer') as HTMLElement;
root.textContent = '';
render(<Explorer />, root);
