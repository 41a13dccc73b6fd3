// Failures. Each expected error is a value with a code of this file and a message.

/** The sentence for each failure code, as the API and the terminal show it. */
export const FAILURE_SENTENCES = {
  // Chain data
  'transaction-undecodable': 'This version cannot decode the transaction.',
  'txid-mismatch': 'The transaction id is not the hash of its bytes.',
  'interface-invalid': 'The contract interface does not match the grammar of interfaces.',
  'interface-unlisted-type':
    'The contract interface contains a type that this version does not know. It is served unchanged.',
  'contract-id-invalid': 'The contract id does not match the pattern of contract principals.',
  'event-invalid': 'The event does not have the shape that an observer sends.',
  'supply-out-of-range':
    'More tokens were burned than minted, or more minted than possible. The archive is incomplete, so the supply is unknown.',
  'notification-malformed': 'The notification does not have the shape that SIP-019 defines.',
  'fork-too-deep': 'The block would replace a final block, so the fork is rejected.',
  'too-many-forks': 'The index cannot store another block at this height.',
  'block-gap': 'The parent of this block is not in the archive.',
  'clarity-value-invalid': 'The bytes are not a Clarity value.',
  // Archives
  'archive-unreadable': 'The archive cannot be read.',
  'archive-not-an-archive': 'The file is not an event archive, or has a format that is not supported.',
  'archive-compressed-data-broken': 'The compressed archive is truncated or damaged, or is followed by other data.',
  'archive-line-broken': 'A line of the archive is invalid.',
  'reorg-refused': 'The archive or the seed orphans more than 100 blocks of the index.',
  // Seeds
  'seed-invalid': 'The seed is damaged, or it is not a seed.',
  'seed-refused':
    'The seed has other blocks than the index where these are final, or it does not have the expected hash.',
  'seed-incomplete': 'The archives lack blocks of the index, so no seed can be made.',
  'other-chain': 'The source and the index, or the published site and the build, belong to different chains.',
  // The index and the build
  'index-missing': 'There is no index yet.',
  'index-foreign': 'The file is not an index of stxpress.',
  'index-version': 'The file was made by another version of stxpress.',
  'index-corrupt': 'The index is damaged.',
  'index-unwritable': 'The index cannot be written.',
  'disk-full': 'The disk is full.',
  'out-unwritable': 'The output folder cannot be written.',
  'out-foreign': 'The output folder contains files that stxpress did not write.',
  'other-index': 'The output folder contains the site of another index.',
  'host-limit': 'The site exceeds a limit of the host that it is built for.',
  'path-collision': 'Two responses need the same path in the output folder.',
  locked: 'Another run is in progress.',
  interrupted: 'The run was interrupted.',
  'port-in-use': 'The port is in use.',
  usage: 'The command line, environment or configuration is invalid.',
  'dist-missing': 'There is no build to serve.',
  'dist-damaged': 'A file of the build was changed or damaged.',
  // Publishing
  'target-foreign': 'The storage contains files that stxpress did not publish.',
  'target-refused': 'The storage rejected a request.',
  'too-many-removals': 'More files would be removed than --max-deletes allows.',
  'publish-incomplete': 'Some files could not be uploaded. Publish again to continue.',
  // On-chain values
  'clarity-error': 'The Clarity VM rejected the contract or its getter.',
  'getter-error': 'The getter returned an error.',
  'getter-wrong-type': 'The getter returned a type or a number that its standard does not allow.',
  'value-too-long': 'The getter returned a longer text than a name, a symbol or a URI may have.',
  'too-much-code': 'The contract, with those that it refers to, has more code than the Clarity VM gets.',
  'vm-timeout': 'The Clarity VM did not finish in time.',
  'vm-crash': 'The Clarity VM crashed on the contract.',
  'replay-diverged':
    'A contract call had a different result in the replay than on chain. The value is the last proven one.',
  'replay-limit':
    'More calls or more code may have changed the value than are replayed. The value is the last proven one.',
  'calls-not-recorded': 'The value may be outdated: blocks with calls of a contract that it depends on are missing.',
  'ownership-not-followed': 'The value may be outdated: it depends on who owns how much of an asset.',
  'state-not-replayed':
    'The value is left out, since it depends on state that an archive lacks, such as STX balances or past blocks.',
  'height-not-known':
    'The value depends on a block height. It was read at the tip of the last index run, or at the deploy.',
  'supply-incomplete':
    'Blocks after the deploy are missing, so the supply or the list of tokens lacks their mints and burns.',
  'supply-of-deploy': 'The supply is the value right after the deploy, since it is not a sum of mints and burns.',
  'evaluation-pending': 'The value may be outdated: newer calls, deploys or blocks have not been replayed yet.',
  'mints-not-recorded':
    'Later blocks were indexed before the deploy of the collection, so their mints are missing. Index the archive again with --rebuild, in the order of its blocks.',
  'tokens-not-listed':
    'No archive has the collection, so its list may lack tokens. Index an archive that has the collection.',
  'epoch-unknown':
    'The Clarity VM does not know the epoch or Clarity version, so it used the newest rules that it knows.',
  'vm-outdated':
    'The value may differ: the bundled Clarity VM lacks the rule of epoch 4.0 for map with an empty sequence.',
  'supply-not-known': 'Only part of the contract ran, so its supply after the deploy is unknown.',
  'no-value': 'None of the getters name, symbol, decimals, token URI and total supply could be read.',
  // Metadata documents
  'no-uri': 'The token has no metadata URI.',
  'document-not-fetched':
    'The document was not fetched. Use --nft documents or --nft images to fetch documents of collections.',
  'document-outdated': 'The metadata comes from an earlier token URI. The current document has not been fetched yet.',
  'empty-uri': 'The token URI is empty.',
  'not-a-uri': 'The text is not a URI.',
  'unsupported-scheme': 'The scheme of the URI is not http, https, data, ipfs, ipns or ar.',
  'data-uri-invalid': 'The data: URI is malformed.',
  offline: 'The index run was offline, so this was not fetched.',
  'empty-document': 'The document is empty.',
  'html-page': 'The server returned an HTML page.',
  'not-text': 'The document is not UTF-8 text.',
  'not-json': 'The document is not JSON.',
  'not-an-object': 'The document is JSON, but not an object.',
  'error-document': 'The server returned an error message as JSON.',
  'too-deep': 'The document is nested too deeply.',
  'too-many-values': 'The document has more values than the limit.',
  'locale-invalid': 'The document declares a locale code that cannot be served.',
  'locale-repeated': 'The document declares two locale codes that differ only in case. The first is served.',
  'too-many-locales': 'The document declares more locales than the limit.',
  'no-locale-placeholder': 'The localization URI has no {locale} placeholder.',
  // Images
  'image-undecodable': 'The image cannot be decoded.',
  'image-unsupported': 'The format of the image, or a part of the SVG, is not supported.',
  'image-blank': 'The image is blank when it is drawn.',
  'image-timeout': 'The image was not decoded in time because the machine was busy.',
  'image-too-costly': 'The image takes more memory or processor time to decode than the limit.',
  'image-too-many-pixels': 'The image has more pixels than the limit.',
  // Fetching
  'http-status': 'The server returned an error status, which is part of the code: http-404.',
  timeout: 'The server did not respond in time.',
  'too-large': 'The response is larger than the limit.',
  'address-refused': 'The host is not on the open web.',
  'port-refused': 'Only ports 80, 443, 8080 and 8443 are allowed.',
  'credentials-refused': 'The URI contains a user name or password.',
  'redirect-limit': 'The server redirects too many times.',
  'redirect-invalid': 'The server redirects to something that is not a URL.',
  'host-not-found': 'The host name cannot be resolved.',
  'host-held': 'The host asked clients to pause.',
  'time-spent': 'This run spent its time on hosts that do not respond. A later run will try this host.',
  'tls-error': 'The server has no valid certificate.',
  'connection-failed': 'The server could not be reached, or its response is incomplete.',
  'response-invalid': 'The response is not valid HTTP, or it does not have the encoding that it states.',
  'no-gateway': 'No gateway is configured for the scheme of the URI.',
  // Nodes and APIs
  'source-down': 'The node or API does not respond. A later run will try again.',
  'source-invalid': 'The node or API returned an invalid response.',
  'not-an-api': 'The server at this URL is not a Stacks node or API.',
  // The program itself
  bug: 'This is a bug in stxpress.',
} as const satisfies Record<string, string>;

/** A code of {@link FAILURE_SENTENCES}, or `http-` with a status that a server returned. */
export type FailureCode = keyof typeof FAILURE_SENTENCES | `http-${number}`;

/** The reason for a failure, as stored and served. `message` consists of complete sentences. */
export interface Reason {
  readonly code: FailureCode;
  readonly message: string;
}

export interface Failure extends Reason {
  /** True if the same work may succeed later. */
  readonly retryable: boolean;
  /** The delay in seconds that the server requested before another attempt. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The reason why part of the chain data is not in the index. */
export interface ChainFailure extends Reason {
  /** The affected transaction, event, block, line or contract. */
  readonly subject: string;
}

const RETRYABLE: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'vm-timeout',
  'image-timeout',
  'locked',
  'interrupted',
  'disk-full',
  'publish-incomplete',
  'timeout',
  'host-not-found',
  'host-held',
  'time-spent',
  'connection-failed',
  'source-down',
  'source-invalid',
  'not-an-api',
]);
/**
 * Codes of failures that may be temporary even if the server returned status 200, such as an error page or half a file.
 * After several such failures in a row, the last one is final.
 */
const INCONCLUSIVE: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'html-page',
  'not-json',
  'error-document',
  'not-text',
  'empty-document',
  'image-undecodable',
  'response-invalid',
]);
/** Statuses below 500 after which the same request may succeed if it is sent again. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);
const FIRST_SERVER_ERROR = 500;

/** Creates a failure. Without `detail`, its message is the sentence of its code. */
export function fail(code: FailureCode, detail?: string, cause?: unknown): Failure {
  const message = detail ?? failureSentence(code);
  return { code, message, retryable: isRetryable(code), ...(cause === undefined ? {} : { cause }) };
}

export function failureSentence(code: FailureCode): string {
  return code in FAILURE_SENTENCES
    ? FAILURE_SENTENCES[code as keyof typeof FAILURE_SENTENCES]
    : `The server returned status ${code.replace('http-', '')}.`;
}

const BLOCK_FAILURES: ReadonlySet<string> = new Set(['block-gap', 'fork-too-deep', 'too-many-forks']);

/** Formats the subject of a chain failure for a message: writes `block` or `transaction` before a hash. */
export function nameSubject({ code, subject }: ChainFailure): string {
  if (!/^0x[0-9a-f]{64}/.test(subject)) return subject;
  return `${BLOCK_FAILURES.has(code) ? 'block' : 'transaction'} ${subject}`;
}

function isRetryable(code: FailureCode): boolean {
  const status = Number(/^http-(\d+)$/.exec(code)?.[1]);
  return (
    RETRYABLE.has(code) || INCONCLUSIVE.has(code) || RETRYABLE_STATUSES.has(status) || status >= FIRST_SERVER_ERROR
  );
}

/** True if the failure came after a request was sent. */
export function wasTried({ code }: Failure): boolean {
  return code !== 'host-held' && code !== 'time-spent' && code !== 'source-down';
}

export function isInconclusive(code: FailureCode): boolean {
  return INCONCLUSIVE.has(code);
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'retryable' in value && 'code' in value;
}

/** An error that ends the command. Only the CLI catches it, prints its message and chooses the exit status. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message, { cause: failure.cause });
    this.failure = failure;
  }
}

/** Creates a {@link FailureError} to throw: `throw stop('usage', 'The problem. The remedy.')`. */
export function stop(code: FailureCode, detail?: string, cause?: unknown): FailureError {
  return new FailureError(fail(code, detail, cause));
}
