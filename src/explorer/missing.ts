// Lists what a token lacks, each with the reason and what comes next.
import type { FailureCode } from '#model/failure.ts';
import type { DocumentStatus, TokenStatus } from './responses.ts';

export interface Missing {
  readonly title: string;
  readonly text: string;
  /** The URI of the document, where it is the cause. */
  readonly uri?: string | undefined;
  /** The failure code; undefined for something that only waits, or that lacks because something else does. */
  readonly code?: string;
}

interface Known {
  readonly uri: string | undefined;
  readonly hasPicture: boolean;
}

/** Titles of failures, by value and failure code. */
const TITLES: Readonly<Record<string, string>> = {
  'total_supply supply-incomplete': 'The supply may be too low',
  'total_supply supply-of-deploy': 'The supply may be out of date',
};
const NAMES: Readonly<Record<string, string>> = {
  name: 'name',
  symbol: 'symbol',
  decimals: 'number of decimals',
  total_supply: 'supply',
  token_uri: 'address of the document',
};
/** Matches the getter at the beginning of a message. */
const GETTER = /^get-[a-z-]+/;
const NEXT_TRY = 'It will be tried again with the next update.';

/** Codes of a token without a document, which is not a failure. */
const NO_DOCUMENT_NAMED = new Set<string>(['no-uri', 'empty-uri'] satisfies FailureCode[]);

/** Sentences for readers, by code, where the message is for the operator of the site. */
const FOR_READERS: Readonly<Record<string, string>> = {
  offline: 'This site has not fetched it.',
  'document-not-fetched': 'This site has not fetched it.',
  'vm-crash': 'The program that runs contracts for this site failed on this one. The contract may be right.',
  bug: 'This site’s program has a fault. The contract may be right.',
} satisfies Partial<Record<FailureCode, string>>;

/** Codes about the site, its sources or its program, which the owner of a token cannot change. */
export const OF_THE_SITE: ReadonlySet<string> = new Set(
  `offline document-not-fetched document-outdated time-spent host-held no-gateway image-timeout vm-crash vm-timeout
  vm-outdated epoch-unknown evaluation-pending replay-diverged replay-limit calls-not-recorded ownership-not-followed
  state-not-replayed height-not-known supply-incomplete supply-of-deploy supply-not-known supply-out-of-range
  mints-not-recorded tokens-not-listed source-down source-invalid bug`.split(/\s+/),
);

/** True if the owner of the token can do something about what is missing. */
export function isOfOwner({ code }: Missing): boolean {
  return code !== undefined && !OF_THE_SITE.has(code);
}

/** True for a token whose getter returns no URI, or an empty one. */
export function namesNoDocument(document: DocumentStatus | undefined): boolean {
  return document?.failure !== undefined && NO_DOCUMENT_NAMED.has(document.failure.code);
}

/** Returns an empty list for a token that lacks nothing. Values with the same reason are one entry. */
export function missingOf({ values, document, failure, state }: TokenStatus, known: Known): Missing[] {
  const missing: Missing[] = documentProblems(document, known);
  const failed = Object.entries(values).flatMap(([key, value]) => {
    if (value?.failure === undefined) return [];
    const reason = value.failure.message.replace(GETTER, 'Each of them');
    return [{ key, ...value.failure, reason, isMissing: value.read_from === undefined }];
  });
  for (const alike of Map.groupBy(failed, ({ code, reason, isMissing }) => `${code} ${isMissing} ${reason}`).values()) {
    const [first] = alike;
    if (first === undefined) continue;
    const { key, code, message, reason, isMissing } = first;
    const isAlone = alike.length === 1;
    const names = new Intl.ListFormat('en').format(alike.map((value) => NAMES[value.key] ?? value.key));
    const ending = isMissing ? (isAlone ? 'is missing' : 'are missing') : 'may be out of date';
    const title = (isAlone && TITLES[`${key} ${code}`]) || `The ${names} ${ending}`;
    missing.push({ title, text: FOR_READERS[code] ?? (isAlone ? message : reason), code });
  }
  if (missing.length === 0 && state === 'error' && failure !== undefined)
    missing.push({ title: 'This token could not be read', text: textOf(failure), code: failure.code });
  return missing;
}

function textOf({ code, message }: { readonly code: string; readonly message: string }): string {
  return FOR_READERS[code] ?? message;
}

/** Lists why a document or its picture is missing. */
export function documentProblems(document: DocumentStatus | undefined, { uri, hasPicture }: Known): Missing[] {
  if (document === undefined || namesNoDocument(document)) return [];
  const next = document.will_be_tried_again ? ` ${NEXT_TRY}` : '';
  const { failure, image, state } = document;
  const problems: Missing[] = [];
  if (failure !== undefined) {
    const title =
      failure.code in FOR_READERS ? 'The document is not on this site' : 'The document could not be fetched';
    problems.push({ title, text: `${textOf(failure)}${next}`, uri, code: failure.code });
  } else if (state === 'pending')
    problems.push({ title: 'The document has not been fetched yet', text: NEXT_TRY, uri });
  if (hasPicture) return problems;
  if (image?.failure !== undefined)
    problems.push({ title: 'The picture could not be copied', text: textOf(image.failure), code: image.failure.code });
  else if (failure !== undefined)
    problems.push({
      title: 'No picture without the document',
      text: 'The picture’s address is in the document. The pattern above is drawn from the contract id.',
    });
  return problems;
}
