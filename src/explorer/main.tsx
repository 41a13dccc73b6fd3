// Begins the explorer: shows the page of the fragment, and the next one when it changes.
import { type ComponentType, render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Address } from './pages/address.tsx';
import { Collection } from './pages/collection.tsx';
import { CollectionItem } from './pages/collection-item.tsx';
import { Contract } from './pages/contract.tsx';
import { FunctionPage } from './pages/function.tsx';
import { Home } from './pages/home.tsx';
import { Search } from './pages/search.tsx';
import { Token } from './pages/token.tsx';
import { Heading } from './parts/pieces.tsx';
import { SearchBox } from './parts/search-box.tsx';
import { pageKey, readView, type View } from './view.ts';
import { scrollBack, useVisit } from './visits.ts';

/** Time for the answer that has the page's name. */
const ANNOUNCE_MS = 400;

function Explorer() {
  const visit = useVisit();
  const view = readView(visit.fragment);
  const page = pageKey(view);
  const Page = PAGES[view.page] as ComponentType<View>;
  const said = useArrival(page);
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
      <button type="button" class="skip" onClick={focusHeading}>
        Skip to the page
      </button>
      <header class="top">
        <a class="brand" href="#/">
          stxpress
        </a>
        <search>
          <SearchBox />
        </search>
        <nav>
          <a href="docs/">API</a>
        </nav>
      </header>
      <main>
        <Page key={page} {...view} />
      </main>
      <Footer />
      <p class="unseen" role="status">
        {said}
      </p>
    </>
  );
}

function Footer() {
  return (
    <footer class="end soft">
      <p>
        stxpress reads the Stacks blockchain and writes each answer as a file, so this site has no key, no rate limit
        and no tracker; each page says where its JSON is, and <a href="docs/">the API</a> lists all of it.
      </p>
      <p>
        To run one of your own, get stxpress and type <code>npm start</code>; for mainnet, <code>npm run index</code>{' '}
        and <code>npm run build</code>, and any host of static files serves it.
      </p>
    </footer>
  );
}

function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

/** The title of a page that was opened after the first one, which a browser announces itself. */
function useArrival(page: string): string {
  const [said, setSaid] = useState('');
  const first = useRef(page);
  useEffect(() => {
    if (first.current === page) return;
    first.current = '';
    const timer = setTimeout(() => setSaid(document.title), ANNOUNCE_MS);
    return () => clearTimeout(timer);
  }, [page]);
  return said;
}

function NoPage() {
  return (
    <>
      <Heading title="No such page" />
      <p class="problem">
        There is no such page. <a href="#/">Begin here.</a>
      </p>
    </>
  );
}

const PAGES: { readonly [Page in View['page']]: ComponentType<Extract<View, { page: Page }>> } = {
  home: Home,
  token: Token,
  contract: Contract,
  address: Address,
  function: FunctionPage,
  collection: Collection,
  item: CollectionItem,
  search: Search,
  unknown: NoPage,
};

const root = document.getElementById('explorer') as HTMLElement;
root.textContent = '';
render(<Explorer />, root);
