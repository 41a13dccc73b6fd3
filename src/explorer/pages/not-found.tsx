// Draws the page of an address that no view has.
import { Crumbs } from '../parts/basics.tsx';
import { cut, Heading } from '../parts/heading.tsx';

const MAX_FRAGMENT = 200;

export function NotFound() {
  return (
    <>
      <Crumbs trail={[['Not found']]} />
      <Heading title="Page not found" />
      <div class="blank">
        <p>
          This site has no page at this address. If a link brought you here, part of it may be missing: a contract id
          ends with a dot and a name.
        </p>
        <p>
          <code class="sm">{cut(location.hash, MAX_FRAGMENT)}</code>
        </p>
        <div class="row">
          <a class="btn go" href="#/">
            Browse tokens
          </a>
          <a class="btn" href="docs/">
            Read the API
          </a>
        </div>
      </div>
    </>
  );
}
