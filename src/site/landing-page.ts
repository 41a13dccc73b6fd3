// Renders the landing page of a build: a description, figures of the index, and all paths. With JavaScript, the
// explorer replaces this content.

import { indexFile } from '#layout/response-files.ts';
import { MAINNET_CHAIN_ID, SAMPLE_CHAIN_ID } from '#model/chain.ts';
import { nftCollections, sftCollections } from '#routes/collection-list.ts';
import { listParameters, type Route } from '#routes/route.ts';
import { tokenList } from '#routes/token-list.ts';
import { readInfo } from '#store/index-info.ts';
import { readSummary, type Summary } from '#store/status/summary.ts';
import { formatCount } from '#text/format-count.ts';
import { explorerVersion } from './bundle.ts';
import { ICON_LINK } from './icon.ts';
import type { DocumentFacts } from './site-document.ts';

export interface LandingFacts extends Summary {
  readonly chainId: number | undefined;
  readonly routes: readonly Route[];
}

const LISTS: readonly (readonly [Route, string])[] = [
  [tokenList as Route, 'all fungible tokens'],
  [nftCollections as Route, 'all NFT collections'],
  [sftCollections as Route, 'all semi-fungible collections'],
];

/** Renders the page from the index. The page shows the chain tip, so it changes with every change of the index. */
export async function landingPage({ store, routes }: DocumentFacts): Promise<string> {
  const { chainId } = await readInfo(store);
  return renderLandingPage({ ...(await readSummary(store)), chainId, routes });
}

export function renderLandingPage(facts: LandingFacts): string {
  const { tip, contracts, states, numbered, routes } = facts;
  const has = ({ id }: Pick<Route, 'id'>) => routes.some((route) => route.id === id);
  const tokens = states.complete + states.partial;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>stxpress: Stacks token and contract metadata</title>
${ICON_LINK}
<link rel="stylesheet" href="explorer/app.css?${explorerVersion()}">
<script type="module" src="explorer/app.js?${explorerVersion()}"></script>
<link rel="alternate" type="application/atom+xml" title="Last changes" href="changes.atom">
</head>
<body>
<div id="explorer">
<main class="plain">
<h1>stxpress</h1>
<p>Token and contract metadata of the Stacks blockchain${chainName(facts.chainId)}, \
as static JSON: no key, no rate limit.</p>
<dl class="facts">
${has(tokenList) ? figure('Fungible tokens', formatCount(tokens)) : ''}
${numbered['sip-009'] === 0 || !has(nftCollections) ? '' : figure('NFTs', formatCount(numbered['sip-009']))}
${figure('Contracts', formatCount(contracts.contracts))}
${tip === undefined ? '' : figure('Chain tip', formatCount(tip.height))}
${tip?.minedAt === undefined ? '' : figure('As of', renderTime(tip.minedAt))}
</dl>
<p><a href="docs/">API reference</a> · \
<a href="openapi.json">OpenAPI 3.1</a> · \
${LISTS.filter(([route]) => has(route))
  .map(([route, label]) => `<a href="${indexFile(route)}">${label}</a> · `)
  .join('')}\
<a href="metadata/v1/index.json">status</a></p>
<h2>Paths</h2>
<ul class="paths">
${routes.map(renderRoute).join('\n')}
</ul>
<p class="soft">${has(tokenList) ? unresolved(states) : ''}Errors are JSON. This site also serves the copied images.</p>
</main>
</div>
</body>
</html>
`;
}

function unresolved({ queued, error }: Summary['states']): string {
  const [waiting, failed] = [countMore(queued, 'wait'), countMore(error, 'fail')];
  return [
    queued === 0 ? '' : `${waiting} to be read. `,
    error === 0 ? '' : `${failed}; the status of each has the reason. `,
  ].join('');
}

function countMore(count: number, verb: string): string {
  return count === 1 ? `1 more token ${verb}s` : `${formatCount(count)} more tokens ${verb}`;
}

function renderRoute(route: Route): string {
  const names = [
    ...(route.list === undefined ? [] : listParameters(route.list)),
    ...(route.variants ?? []).map(({ name }) => name),
  ];
  const query = names.map((name) => `?${name}=`).join(' ');
  const path = `/${escapeHtml(route.path)}${query === '' ? '' : ` <span class="soft">${query}</span>`}`;
  return `<li><code>${path}</code><br>${escapeHtml(route.summary)}</li>`;
}

function renderTime(minedAt: string): string {
  return `<time datetime="${minedAt}">${minedAt.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

function figure(name: string, value: string): string {
  return `<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function chainName(chainId: number | undefined): string {
  if (chainId === MAINNET_CHAIN_ID) return ' (mainnet)';
  return chainId === SAMPLE_CHAIN_ID ? ' (the bundled sample chain)' : '';
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
