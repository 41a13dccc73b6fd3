// Cuts Clarity source into tokens to be coloured and linked: comments, texts, numbers, keywords, principals, names.

export type TokenKind = 'comment' | 'text' | 'number' | 'keyword' | 'principal' | 'name' | 'other';

export interface SourceToken {
  readonly kind: TokenKind;
  readonly text: string;
}

const PATTERN =
  /(;[^\n]*)|(u?"(?:\\[\s\S]|[^"\\])*"?)|('S[0-9A-HJKMNP-TV-Z]{28,40}(?:\.[a-zA-Z][a-zA-Z0-9_-]*)*|(?<![\w.])\.[a-zA-Z][a-zA-Z0-9_-]*)|(u?-?\d+(?![\w-])|0x[0-9a-fA-F]*)|([a-zA-Z!?+<>=/*&|_-][\w!?+<>=/*.-]*)|([\s\S])/g;

/** Forms that define something: `(define-public (name …` and `(define-map name …`. */
const KEYWORDS = new Set(
  `define-constant define-data-var define-fungible-token define-map define-non-fungible-token define-private
  define-public define-read-only define-trait impl-trait use-trait let if begin match asserts! try! unwrap! unwrap-panic
  unwrap-err! unwrap-err-panic ok err some none true false and or not is-eq var-get var-set map-get? map-set map-insert
  map-delete contract-call? as-contract fold map filter print default-to get merge tuple list concat append len
  tx-sender contract-caller block-height burn-block-height stacks-block-height`.split(/\s+/),
);

/** Joined, the texts are the source. */
export function* clarityTokens(source: string): Generator<SourceToken> {
  let other = '';
  for (const [text, comment, quoted, principal, number, name] of source.matchAll(PATTERN)) {
    const kind: TokenKind =
      comment !== undefined
        ? 'comment'
        : quoted !== undefined
          ? 'text'
          : principal !== undefined
            ? 'principal'
            : number !== undefined
              ? 'number'
              : name !== undefined
                ? KEYWORDS.has(name)
                  ? 'keyword'
                  : 'name'
                : 'other';
    if (kind === 'other') {
      other += text;
      continue;
    }
    if (other !== '') yield { kind: 'other', text: other };
    other = '';
    yield { kind, text };
  }
  if (other !== '') yield { kind: 'other', text: other };
}

/** The contract id that a literal names; of a relative one, in the contract that it is in. */
export function principalOf(text: string, contractId: string): string | undefined {
  const named = text.startsWith('.') ? `${contractId.split('.')[0]}${text}` : text.slice(1);
  const [address, name] = named.split('.');
  return name === undefined ? undefined : `${address}.${name}`;
}
