// Renders the landing page of a build: its facts, its lists and its paths. With JavaScript, the explorer replaces them.

import { indexFile } from '#layout/response-files.ts';
import { nftCollections, sftCollections } from '#routes/collection-list.ts';
import { listParameters, type Route } from '#routes/route.ts';
import { tokenList } from '#routes/token-list.ts';
import { readInfo } from '#store/index-info.ts';
import { readSummary, type Summary } from '#store/status/summary.ts';
import { formatCount } from '#text/format-count.ts';
import { explorerVersion } from './bundle.ts';
import {
  escapeHtml,
  PREVIEW_FILE,
  renderFooter,
  renderHeader,
  renderPage,
  renderTime,
  SITE_DESCRIPTION,
} from './page-frame.ts';
import type { DocumentFacts } from './site-document.ts';

export interface LandingFacts extends Summary {
  readonly chainId: number | undefined;
  readonly routes: readonly Route[];
  /** URL of the site without a slash at its end; empty if it is unknown. */
  readonly publicUrl: string;
}

const LISTS: readonly (readonly [Route, string])[] = [
  [tokenList as Route, 'All tokens'],
  [nftCollections as Route, 'All collections'],
  [sftCollections as Route, 'All semi-fungible collections'],
];

/** The page contains the tip of the chain, so it changes whenever the index does. */
export async function landingPage({ store, routes, publicUrl }: DocumentFacts): Promise<string> {
  const { chainId } = await readInfo(store);
  return renderLandingPage({ ...(await readSummary(store)), chainId, routes, publicUrl });
}

export function renderLandingPage(facts: LandingFacts): string {
  const { tip, contracts, states, routes, publicUrl, chainId } = facts;
  const has = ({ id }: Pick<Route, 'id'>) => routes.some((route) => route.id === id);
  const tokens = states.complete + states.partial;
  const collections = contracts.byStandard['sip-009'] + contracts.byStandard['sip-013'];
  return renderPage({
    title: 'Tokens and contracts on Stacks',
    description: SITE_DESCRIPTION,
    image: publicUrl === '' ? PREVIEW_FILE : `${publicUrl}/${PREVIEW_FILE}`,
    more: `<link rel="stylesheet" href="explorer/app.css?${explorerVersion()}">
<script type="module" src="explorer/app.js?${explorerVersion()}"></script>`,
    body: `<div id="explorer">
${renderHeader({ root: '', current: 'Explore', chainId })}
<main class="wrap" id="page">
<div class="gap hero">
<h1>Every token and contract on Stacks</h1>
<p class="soft">Names, symbols, pictures, source code and interfaces, read from the chain and served as plain files.</p>
</div>
<dl class="card facts gap">
${has(tokenList) ? figure('Fungible tokens', formatCount(tokens)) : ''}
${collections === 0 || !has(nftCollections) ? '' : figure('NFT collections', formatCount(collections))}
${figure('Contracts', formatCount(contracts.contracts))}
${tip === undefined ? '' : figure('Latest block', formatCount(tip.height))}
${tip?.minedAt === undefined ? '' : figure('As of', renderTime(tip.minedAt))}
</dl>
<section>
<h2>Start here</h2>
<p class="row gap0"><a class="btn" href="docs/">The API</a> <a class="btn" href="openapi.json">openapi.json</a> \
${LISTS.filter(([route]) => has(route))
  .map(([route, label]) => `<a class="btn" href="${indexFile(route)}">${label}</a> `)
  .join('')}\
<a class="btn" href="metadata/v1/index.json">Status</a></p>
</section>
<section>
<h2>Paths</h2>
<ul class="card rows gap0">
${routes.map(renderRoute).join('\n')}
</ul>
<p class="soft gap0">${has(tokenList) ? unread(states) : ''}\
Errors are JSON. Copies of pictures are served from this site.</p>
</section>
</main>
${renderFooter({ tip })}
</div>`,
  });
}

/** Counts the tokens without values, by reason. */
function unread({ queued, error }: Summary['states']): string {
  return [
    queued === 0 ? '' : `${tokenCount(queued)} not read yet. `,
    error === 0 ? '' : `${tokenCount(error)} could not be read; the status of each gives the reason. `,
  ].join('');
}

function tokenCount(count: number): string {
  return count === 1 ? '1 token' : `${formatCount(count)} tokens`;
}

function renderRoute(route: Route): string {
  const names = [
    ...(route.list === undefined ? [] : listParameters(route.list)),
    ...(route.variants ?? []).map(({ name }) => name),
  ];
  const query = names.map((name) => `?${name}=`).join(' ');
  const path = `/${escapeHtml(route.path)}${query === '' ? '' : ` <span class="soft">${query}</span>`}`;
  return `<li class="pad"><code>${path}</code><br><span class="sm soft">${escapeHtml(route.summary)}</span></li>`;
}

function figure(name: string, value: string): string {
  return `<div><dt>${name}</dt><dd>${value}</dd></div>`;
}
