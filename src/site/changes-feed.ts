// Renders the latest changes of the chain as an Atom feed (RFC 4287).
import { kindOf } from '#model/token.ts';
import { type Change, changes, readChanges } from '#routes/changes.ts';
import { readInfo } from '#store/index-info.ts';
import { escapeDirections } from '#text/escape-controls.ts';
import type { DocumentFacts } from './site-document.ts';

/** The time of an entry whose time is unknown. A feed must have times; readers of feeds identify entries by id. */
const NO_TIME = '1970-01-01T00:00:00.000Z';

export async function changesFeed({ store, publicUrl, only }: DocumentFacts): Promise<string> {
  const list = await readChanges(store, { only });
  const id = `urn:x-stacks:${(await readInfo(store)).chainId ?? 'unknown'}`;
  const site = publicUrl === '' ? '.' : escapeXml(publicUrl);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${id}:changes</id>
<title>Tokens and contracts of Stacks</title>
<subtitle>${changes.summary}</subtitle>
<updated>${list[0]?.burn_block_time ?? NO_TIME}</updated>
<author><name>stxpress</name></author>
<link rel="self" type="application/atom+xml" href="${site}/changes.atom"/>
<link rel="alternate" type="text/html" href="${site}/"/>
${list.map((change) => entry(change, id, site)).join('')}</feed>
`;
}

const TITLES: Readonly<Record<Change['change'], string>> = {
  'new-contract': 'New contract',
  'new-token': 'New token',
  'token-uri': 'New token URI',
};

function entry(change: Change, id: string, site: string): string {
  const { contract_id: contractId, block_height: height, tx_id: txId, token_uri: uri } = change;
  const isUri = change.change === 'token-uri';
  const text = isUri ? `At height ${height}: ${uri ?? 'none'}` : `At height ${height}, in transaction ${txId}`;
  return `<entry>
<id>${id}:${isUri ? `${contractId}:uri:${height}` : txId}</id>
<title>${TITLES[change.change]}: ${contractId}</title>
<updated>${change.burn_block_time ?? NO_TIME}</updated>
<link href="${site}/#/${pageOf(change)}/${contractId}"/>
<content type="text">${escapeXml(text)}</content>
</entry>
`;
}

/** Returns the name of the explorer's page about the changed contract or token. */
function pageOf({ standard }: Change): string {
  if (standard === undefined) return 'contract';
  return standard === 'sip-010' ? 'token' : kindOf(standard);
}

/** Escapes a text for XML, and its controls of direction for readers. Control characters that XML 1.0 forbids are replaced. */
function escapeXml(text: string): string {
  return escapeDirections(text)
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
