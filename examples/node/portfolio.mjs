#!/usr/bin/env node
// Prints tokens of a stxpress API as a table. Needs Node 20 or newer and nothing else.

const HELP = `Usage: node portfolio.mjs <base URL> <principal> …

Prints name, symbol, decimals and supply of fungible tokens.

  <base URL>    where the API is, such as http://127.0.0.1:3000
  <principal>   a token contract: <address>.<contract name>

Exit status: 0 if every token was found, else 1.
`;
const TIMEOUT_MS = 30_000;
/** A uint has 39 digits, so no honest token has as many decimals. */
const MOST_DECIMALS = 40;
const HEADINGS = ['SYMBOL', 'NAME', 'DECIMALS', 'SUPPLY', 'PRINCIPAL'];
const TO_THE_RIGHT = new Set(['DECIMALS', 'SUPPLY']);

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const [base = '', ...principals] = args;
  if (principals.length === 0) {
    process.stderr.write(HELP);
    return 1;
  }
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) {
    process.stderr.write(
      `portfolio: the base URL begins with http:// or https://, and this is ${JSON.stringify(base)}.\n`,
    );
    return 1;
  }
  const answers = await Promise.allSettled(principals.map((principal) => readToken(base, principal)));
  const rows = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (rows.length > 0) process.stdout.write(formatTable([HEADINGS, ...rows]));
  answers.forEach((answer, index) => {
    if (answer.status === 'rejected')
      process.stderr.write(`portfolio: ${printable(`${principals[index]}: ${answer.reason.message}`)}\n`);
  });
  return rows.length === principals.length ? 0 : 1;
}

/** The row of a token. Throws an error that says in plain words what is wrong. */
async function readToken(base, principal) {
  const url = `${base.replace(/\/+$/, '')}/metadata/v1/ft/${encodeURIComponent(principal)}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error) => {
    throw new Error(
      error.name === 'TimeoutError'
        ? `${base} does not answer.`
        : `${base} cannot be reached (${error.cause?.code ?? error.message}).`,
    );
  });
  const body = await response.json().catch(() => undefined);
  if (!response.ok) throw new Error(explain(response.status, body));
  if (typeof body?.asset_identifier !== 'string') throw new Error('The answer is no token. Is the base URL right?');
  const { symbol, name, decimals, total_supply } = body;
  const [shownSymbol, shownName] = [visible(symbol) ?? '-', visible(name) ?? 'Unnamed token'];
  return [shownSymbol, shownName, decimals ?? '-', formatAmount(total_supply, decimals), principal].map(printable);
}

function explain(status, body) {
  const words = body?.message ?? body?.error;
  switch (status) {
    case 400:
      return `This is no principal. ${words ?? ''}`.trim();
    case 404:
      return words === 'Token not found'
        ? 'There is no such fungible token here.'
        : 'Nothing is found here. Are the base URL and the principal right?';
    case 422:
      return words ?? 'The token cannot be shown.';
    default:
      return `The server answers with status ${status}. Try again later.`;
  }
}

/** 1250000 with 6 decimals is 1.25. BigInt, since a supply may be larger than what a number holds exactly. */
function formatAmount(amount, decimals = 0) {
  if (!/^\d+$/.test(amount ?? '')) return '-';
  if (decimals > MOST_DECIMALS) return `${amount} / 10^${decimals}`;
  const unit = 10n ** BigInt(decimals);
  const fraction = (BigInt(amount) % unit).toString().padStart(decimals, '0').replace(/0+$/, '');
  const whole = (BigInt(amount) / unit).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The text, or undefined if it is empty or has no visible character. */
function visible(text = '') {
  return /[^\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text) ? text : undefined;
}

/** Names come from contracts: they may hold characters that would steer the terminal. */
function printable(value) {
  return String(value).replace(/[\p{Cc}\p{Cf}]/gu, '\u{FFFD}');
}

function formatTable(rows) {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        TO_THE_RIGHT.has(HEADINGS[column]) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]),
      )
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
