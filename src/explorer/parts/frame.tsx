// Draws the header and the footer of every page.
import { formatCount } from '#text/format-count.ts';
import type { ApiStatus } from '../responses.ts';
import { SITE_NAME } from '../site.ts';
import { SearchBox } from './search-box.tsx';
import { useResponse } from './use-response.ts';

const HASH_DIGITS = 8;

/** The home page has its own search box. */
export function Header({ isHome }: { isHome: boolean }) {
  const { content: status } = useResponse<ApiStatus>('metadata/v1/index.json');
  return (
    <header class="bar">
      <div class="wrap">
        <a class="brand" href="#/">
          <Mark />
          <span>{SITE_NAME}</span>
        </a>
        {status?.chain !== undefined && <span class="badge">{status.chain}</span>}
        {!isHome && (
          <search>
            <SearchBox />
          </search>
        )}
        <nav aria-label="Site">
          <a href="#/" aria-current={isHome ? 'page' : undefined}>
            Explore
          </a>
          <a href="docs/">API</a>
        </nav>
      </div>
    </header>
  );
}

function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect width="20" height="20" rx="5" fill="currentColor" />
      <path d="M5 6.5h10M5 10h10M5 13.5h6" stroke="var(--card)" stroke-width="1.8" stroke-linecap="round" />
    </svg>
  );
}

export function Footer() {
  const { content: status } = useResponse<ApiStatus>('metadata/v1/index.json');
  const tip = status?.chain_tip;
  const time = tip?.burn_block_time;
  const version = status?.server_version.split(' ').at(-1);
  return (
    <footer class="foot">
      <div class="wrap">
        <p>Static files, read from the Stacks blockchain. No key, no rate limit, no tracking.</p>
        {tip !== undefined && (
          <p class="num">
            Block {formatCount(tip.block_height)}
            {time !== undefined && (
              <>
                {' '}
                · <time dateTime={time}>{formatTime(time)}</time>
              </>
            )}
          </p>
        )}
        {status !== undefined && (
          <p>
            {status.site_hash !== undefined && (
              <>
                Site <code title="SHA-256 of everything on this site">{status.site_hash.slice(0, HASH_DIGITS)}</code> ·{' '}
              </>
            )}
            stxpress {version}
          </p>
        )}
      </div>
    </footer>
  );
}

/** `25 Nov 2026, 23:10 UTC`. */
function formatTime(iso: string): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Date(iso).toLocaleString('en-GB', options)} UTC`;
}
