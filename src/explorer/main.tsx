// Begins the explorer: shows the page of the fragment, and the next one when it changes.
import { render } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Collection, CollectionItem } from './pages/collection.tsx';
import { Contract } from './pages/contract.tsx';
import { Home } from './pages/home.tsx';
import { Search } from './pages/search.tsx';
import { Token } from './pages/token.tsx';
import { SearchBox } from './parts/search-box.tsx';
import { type Place, readPlace } from './place.ts';

function Explorer() {
  const [fragment, setFragment] = useState(location.hash);
  // Before the browser draws: no change of the fragment is missed.
  useLayoutEffect(() => {
    const follow = () => {
      setFragment(location.hash);
      scrollTo(0, 0);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return (
    <>
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
        <Page place={readPlace(fragment)} />
      </main>
    </>
  );
}

function Page({ place }: { place: Place }) {
  switch (place.page) {
    case 'home':
      return <Home />;
    case 'token':
      return <Token key={place.id} id={place.id} />;
    case 'contract':
      return <Contract key={place.id} id={place.id} line={place.line} />;
    case 'collection':
      return <Collection key={`${place.kind} ${place.id}`} {...place} />;
    case 'item':
      return <CollectionItem key={`${place.id} ${place.number}`} {...place} />;
    case 'search':
      return <Search key={place.text} text={place.text} />;
    case 'unknown':
      return (
        <p class="problem">
          There is no such page. <a href="#/">Begin here.</a>
        </p>
      );
  }
}

const root = document.getElementById('explorer');
if (root !== null) {
  root.textContent = '';
  render(<Explorer />, root);
}
