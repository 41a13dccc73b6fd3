// Makes sources whose thousands of definitions depend on each other.
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { deployJson, lineAt } from '../support/transactions.ts';

/** The size of each source in bytes. Storing every single dependency of such a source would take 0.5 to 1 GB. */
const SOURCE_BYTES = 500_000;

/**
 * Returns lines for the numbers from 1, until the text is long enough. Adds the line that `end` returns for the last
 * number.
 */
function repeat(line: (number: number) => string, end: (last: number) => string): string {
  const lines: string[] = [];
  const bytes = line(10_000).length + 1;
  for (let number = 1; number * bytes < SOURCE_BYTES; number++) lines.push(line(number));
  return `${lines.join('\n')}\n${end(lines.length)}`;
}

const variable = (name: string) => `(define-data-var ${name} uint u1)`;
const named = (value: string) => `(define-read-only (get-name) ${value})`;

const SOURCES = {
  'constants of constants that name contracts': repeat(
    (n) => `(define-constant a${n} (list a${n - 1} .c${n}))`,
    (last) => named(`(ok a${last})`),
  ),
  'functions that each return such a constant': repeat(
    (n) => `(define-constant a${n} (list a${n - 1} .c${n}))(define-public (f${n}) (ok a${n}))`,
    () => named('(ok "x")'),
  ),
  'functions that call each other and each read a variable': `(define-private (f0) u1)${repeat(
    (n) => `${variable(`v${n}`)}(define-private (f${n}) (+ (var-get v${n}) (f${n - 1})))`,
    (last) => named(`(ok (f${last}))`),
  )}`,
  'public functions that call each other and each write a variable': `(define-private (f0) u1)${repeat(
    (n) => `${variable(`v${n}`)}(define-public (f${n}) (ok (var-set v${n} (f${n - 1}))))`,
    (last) => named(`(f${last})`),
  )}`,
  'a getter that reads the variables of all functions': repeat(
    (n) => `${variable(`v${n}`)}(define-public (f${n}) (ok (var-set v${n} u2)))`,
    (last) => named(`(ok (+ ${Array.from({ length: last }, (_, at) => `(var-get v${at + 1})`).join(' ')}))`),
  ),
  'calls through traits with contracts as arguments': `(use-trait tr .a.b)${repeat(
    (n) => `(define-public (f${n} (t <tr>)) (begin (try! (contract-call? t g${n} .c${n})) (ok (var-set v u1))))`,
    () => `${variable('v')}${named('(ok (var-get v))')}`,
  )}`,
  'calls through traits in one function': `(use-trait tr .a.b)(define-public (f (t <tr>)) (begin ${repeat(
    (n) => `(try! (contract-call? t g${n} .c${n}))`,
    () => `(ok (var-set v u1))))${variable('v')}${named('(ok (var-get v))')}`,
  )}`,
};

/** An archive of one block with a token of each source. */
export const SOURCE_ARCHIVE = lineAt(
  1,
  Object.values(SOURCES).map((source, at) =>
    deployJson(`SP2PABAF9FTAJYNFZH93XENAJ8FVY99RRM50D2JG9.t-${at}`, source, { interface: TOKEN_INTERFACE }),
  ),
);
