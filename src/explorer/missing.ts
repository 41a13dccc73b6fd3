// Lists what a token lacks, each with the reason and what comes next.
import type { DocumentStatus, TokenStatus } from './responses.ts';

export interface Missing {
  readonly title: string;
  readonly text: string;
  /** The URI of the document, where it is the cause. */
  readonly uri?: string | undefined;
  readonly code?: string;
}

interface Known {
  readonly uri: string | undefined;
  readonly hasPicture: boolean;
}

const NO_DOCUMENT = 'The document could not be fetched';
const NO_PICTURE = 'No picture without the document';

/** Titles of failures, by value and failure code. */
const TITLES: Readonly<Record<string, string>> = {
  'total_supply supply-incomplete': 'The supply may be too low',
  'total_supply supply-of-deploy': 'The supply may be out of date',
};
const NAMES: Readonly<Record<string, string>> = {
  name: 'The name',
  symbol: 'The symbol',
  decimals: 'The number of decimals',
  total_supply: 'The supply',
  token_uri: 'The address of the document',
};
const NEXT_TRY = 'It will be tried again with the next update.';

/** True for a missing document and a picture that it would name. */
export function isAboutDocument({ title }: Missing): boolean {
  return title === NO_DOCUMENT || title === NO_PICTURE;
}

/** Returns an empty list for a token that lacks nothing. */
export function missingOf({ values, document, failure, state }: TokenStatus, known: Known): Missing[] {
  const missing: Missing[] = documentProblems(document, known);
  for (const [key, value] of Object.entries(values)) {
    if (value?.failure === undefined) continue;
    const { code, message } = value.failure;
    const ending = value.read_from === undefined ? 'is missing' : 'may be out of date';
    missing.push({ title: TITLES[`${key} ${code}`] ?? `${NAMES[key] ?? key} ${ending}`, text: message, code });
  }
  if (missing.length === 0 && state === 'error' && failure !== undefined)
    missing.push({ title: 'This token could not be read', text: failure.message, code: failure.code });
  return missing;
}

/** Lists why a document or its picture is missing. */
export function documentProblems(document: DocumentStatus | undefined, { uri, hasPicture }: Known): Missing[] {
  if (document === undefined) return [];
  const next = document.will_be_tried_again ? ` ${NEXT_TRY}` : '';
  const { failure, image, state } = document;
  const problems: Missing[] = [];
  if (failure !== undefined) {
    problems.push({ title: NO_DOCUMENT, text: `${failure.message}${next}`, uri, code: failure.code });
  } else if (state === 'pending')
    problems.push({ title: 'The document has not been fetched yet', text: NEXT_TRY, uri });
  if (hasPicture) return problems;
  if (image?.failure !== undefined)
    problems.push({ title: 'The picture could not be copied', text: image.failure.message, code: image.failure.code });
  else if (failure !== undefined)
    problems.push({
      title: NO_PICTURE,
      text: 'The picture’s address is in the document. The pattern above is drawn from the contract id.',
    });
  return problems;
}
