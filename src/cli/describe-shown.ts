// Formats the data of a contract and its token for people: a line for each value, or the reason why it is missing.

import type { Reason } from '#model/failure.ts';
import { isBlank, UNNAMED } from '#model/shown-name.ts';
import type { CollectionStatus, DocumentStatus, TokenStatus } from '#routes/token-status.ts';
import { count, formatCount } from '#text/format-count.ts';
import { shorten } from '#text/quote.ts';
import { joinLines, type Lines } from './terminal-reporter.ts';

/** The maximum length of a printed value: a `data:` URI contains a document. */
const MAX_VALUE_LENGTH = 160;

export type ShownStatus = TokenStatus | CollectionStatus;

export interface Shown {
  readonly contract_id: string;
  readonly standard: string | null;
  readonly canonical: boolean;
  readonly confirmed: boolean;
  readonly tx_id: string;
  readonly block_height: number;
  readonly sender_address: string;
  readonly clarity_version: number | null;
  readonly epoch: string | null;
  /**
   * The origin of the interface: a source (archive, node or API), computed by the Clarity VM, or null if it is missing.
   */
  readonly interface: 'source' | 'computed' | null;
  source_bytes?: number;
  /** The number of functions; null if the interface is unknown. */
  functions?: number | null;
  /** The response of `metadata/v1/ft`; its status is 422 for a token with an error. */
  response?: { readonly status: number; readonly body: Readonly<Record<string, unknown>> };
  /** Locales whose response differs from the default one. */
  locales?: readonly string[];
  /** The response of `metadata/v1/status`. */
  status?: ShownStatus;
}

export function describeShown(shown: Shown): string {
  const { contract_id: id, standard, status } = shown;
  return joinLines(
    `${id}: ${standard === null ? 'no token' : `${standard.toUpperCase()}${status === undefined ? '' : `, ${status.state}`}`}`,
    line('deployed', describeDeploy(shown)),
    line('source', describeSource(shown)),
    status === undefined && line('no token', whyNoToken(shown)),
    status?.failure && line('failure', reasonOf(status.failure)),
    status && ('tokens' in status ? describeCollection(status) : describeToken(status, shown)),
  );
}

function line(name: string, text: string): string {
  return `  ${name.padEnd(13)} ${text}`;
}

function describeDeploy(shown: Shown): string {
  const { block_height: height, tx_id: txId, sender_address: sender, canonical, confirmed } = shown;
  const block = canonical && !confirmed ? 'not confirmed by an anchor block' : `block ${formatCount(height)}`;
  return `${block}, transaction ${txId}, by ${sender}${canonical ? '' : ', not canonical'}`;
}

function describeSource(shown: Shown): string {
  const { source_bytes: bytes = 0, functions, clarity_version: version, epoch } = shown;
  const clarity = version === null ? 'Clarity of an unknown version' : `Clarity ${version}`;
  const interfaceText = functions == null ? 'no interface is known' : count(functions, 'function');
  const computed = shown.interface === 'computed' ? ' (interface computed by the Clarity VM)' : '';
  return `${count(bytes, 'byte')}, ${clarity}${epoch === null ? '' : `, epoch ${epoch}`}, ${interfaceText}${computed}`;
}

function whyNoToken({ standard, canonical, confirmed, functions }: Shown): string {
  if (standard === null && functions == null) return 'The interface is unknown, so the contract may be a token.';
  if (standard === null) return 'The interface lacks functions or assets of SIP-009, SIP-010 and SIP-013.';
  if (!canonical) return 'The block of the deploy is not on the canonical chain.';
  if (!confirmed) return 'No anchor block has confirmed the deploy yet.';
  return 'The index has no tokens of this standard.';
}

function describeToken({ values, document, locales }: TokenStatus, { response, locales: served = [] }: Shown): Lines {
  const body = response?.status === 200 ? response.body : {};
  const valueLines = Object.entries(values).map(([name, source]) => {
    const value = body[name];
    const isHeldBack = response?.status !== 200 && source.read_from !== undefined && source.failure === undefined;
    const missing = isHeldBack ? 'not served yet' : source.none ? 'none' : 'missing';
    const shown = value === undefined ? missing : shorten(JSON.stringify(value), MAX_VALUE_LENGTH);
    const isUnnamed = name === 'name' && response?.status === 200 && isBlank(body.name as string | undefined);
    return line(name.replace('_', ' '), joinParts(isUnnamed && UNNAMED, shown, describeValue(source)));
  });
  const image = body.image_canonical_uri;
  return [
    valueLines,
    line('document', document === undefined ? 'missing, because the token has no URI' : describeDocument(document)),
    typeof image === 'string' && line('image', shorten(JSON.stringify(image), MAX_VALUE_LENGTH)),
    served.length > 0 && line('locales', served.join(', ')),
    Object.entries(locales ?? {}).map(([locale, status]) => line(`document ${locale}`, describeDocument(status))),
  ];
}

function describeCollection(status: CollectionStatus): Lines {
  const { count: tokens, burned, left_out: leftOut, ...states } = status.tokens;
  const byState = Object.entries(states).map(([state, number]) => `${formatCount(number)} ${state}`);
  const shared = Object.entries(status.values);
  return [
    line('tokens', `${formatCount(tokens)}: ${byState.join(', ')}; ${formatCount(burned)} burned`),
    leftOut > 0 && line('left out', `${count(leftOut, 'token')}, because of --max-nft-tokens`),
    shared.length === 0 && line('shared values', 'none that provably apply to all tokens'),
    shared.map(([name, value]) => line(name.replace('_', ' '), joinParts('of all tokens', describeValue(value)))),
    Object.entries(status.failures).map(([code, number]) => line(code, count(number, 'token'))),
    status.exceptions.map(({ token_id: id, failure }) => line(`token ${id}`, reasonOf(failure))),
  ];
}

const SOURCES = {
  node: 'from the node',
  'token-list': "from an API's token list",
  'clarity-vm': 'from the Clarity VM',
  events: 'mints minus burns',
} as const;

function describeValue(value: TokenStatus['values']['name']): string {
  const { read_from: from, height, calls, whole_contract: isComplete, failure, will_be_read_again: again } = value;
  return joinParts(
    from && `${SOURCES[from]}${height === undefined ? '' : ` at block ${formatCount(height)}`}`,
    calls !== undefined && `${count(calls, 'call')} replayed`,
    isComplete === false && 'only part of the contract ran',
    failure && reasonOf(failure),
    again && 'will be read again',
  );
}

function describeDocument(document: DocumentStatus): string {
  const { state, failure, will_be_tried_again: again, warnings = [], image } = document;
  return joinParts(
    state,
    failure && reasonOf(failure),
    again && 'will be tried again',
    ...warnings,
    image && (image.copied ? 'image copied' : `image not copied${image.failure === undefined ? ' yet' : ''}`),
    image?.failure && reasonOf(image.failure),
  );
}

/** Joins the parts that are not empty. */
function joinParts(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join('; ');
}

function reasonOf({ code, message }: Pick<Reason, 'message'> & { readonly code: string }): string {
  return `${code}: ${message}`;
}
