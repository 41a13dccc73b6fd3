// Draws the path of a response, to open and to copy.
import { shortAddress } from '../format.ts';
import { Copy } from './id.tsx';

export function JsonPath({ what, path }: { what: string; path: string }) {
  return (
    <section class="card">
      <p class="tools">
        <span>{what} as JSON</span>
        <Copy text={new URL(path, document.baseURI).href} what="URL" />
      </p>
      <div class="tools">
        <a href={path} class="uri mono" title={path}>
          /{path.replace(/S[MNPT][0-9A-Z]{26,39}/, shortAddress)}
        </a>
      </div>
    </section>
  );
}
