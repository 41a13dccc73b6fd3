#!/usr/bin/env node
// Prints tokens of a stxpress API as a table. Needs only Node 20 or newer.

const HELP = `Usage: node portfolio.mjs <base URL> <principal> …

Prints name, symbol, decimals and supply of fungible tokens.

  <base URL>    the URL of the API, such as http://127.0.0.1:3000
  <principal>   a token contract: <address>.<contract name>

Exit status: 0 if every token was found, otherwise 1.
`;
const TIMEOUT_MS = 30_000;
/**
 * The maximum number of decimals for which an amount is formatted. A uint has at most 39 digits, so more decimals are a
 * mistake.
 */
const MAX_DECIMALS = 40;
const HEADINGS = ['SYMBOL', 'NAME', 'DECIMALS', 'SUPPLY', 'PRINCIPAL'];
const RIGHT_ALIGNED = new Set(['DECIMALS', 'SUPPLY']);

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
      `portfolio: ${JSON.stringify(base)} is not a base URL. Use one that begins with http:// or https://.\n`,
    );
    return 1;
  }
  const results = await Promise.allSettled(principals.map((principal) => readToken(base, principal)));
  const rows = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (rows.length > 0) process.stdout.write(formatTable([HEADINGS, ...rows]));
  results.forEach((result, index) => {
    if (result.status === 'rejected')
      process.stderr.write(`portfolio: ${printable(`${principals[index]}: ${result.reason.message}`)}\n`);
  });
  return rows.length === principals.length ? 0 : 1;
}

/** Returns the row of a token. If this fails, throws an error with a message for the user. */
async function readToken(base, principal) {
  const url = `${base.replace(/\/+$/, '')}/metadata/v1/ft/${encodeURIComponent(principal)}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error) => {
    throw new Error(
      error.name === 'TimeoutError'
        ? `${base} does not respond.`
        : `${base} cannot be reached (${error.cause?.code ?? error.message}).`,
    );
  });
  const body = await response.json().catch(() => undefined);
  if (!response.ok) throw new Error(explain(response.status, body));
  if (typeof body?.asset_identifier !== 'string') throw new Error('The response is not a token. Check the base URL.');
  const { symbol, name, decimals, total_supply } = body;
  const [symbolText, nameText] = [visible(symbol) ?? '-', visible(name) ?? 'Unnamed token'];
  return [symbolText, nameText, decimals ?? '-', formatAmount(total_supply, decimals), principal].map(printable);
}

function explain(status, body) {
  const reason = body?.message ?? body?.error;
  switch (status) {
    case 400:
      return `This is not a principal. ${reason ?? ''}`.trim();
    case 404:
      return reason === 'Token not found'
        ? 'The API has no such fungible token.'
        : 'Nothing was found. Check the base URL and the principal.';
    case 422:
      return reason ?? 'The token cannot be shown.';
    default:
      return `The server returned status ${status}. Try again later.`;
  }
}

/** Formats an amount: 1250000 with 6 decimals is 1.25. Large supplies need BigInt, since a number would be rounded. */
function formatAmount(amount, decimals = 0) {
  if (!/^\d+$/.test(amount ?? '')) return '-';
  if (decimals > MAX_DECIMALS) return `${amount} / 10^${decimals}`;
  const unit = 10n ** BigInt(decimals);
  const fraction = (BigInt(amount) % unit).toString().padStart(decimals, '0').replace(/0+$/, '');
  const integer = (BigInt(amount) / unit).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === '' ? integer : `${integer}.${fraction}`;
}

/** Returns the text, or undefined if it has no visible character. */
function visible(text = '') {
  return /[^\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text) ? text : undefined;
}

/** Replaces control characters. Names come from contracts, so they may contain escape sequences for the terminal. */
function printable(value) {
  return String(value).replace(/[\p{Cc}\p{Cf}]/gu, '\u{FFFD}');
}

function formatTable(rows) {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        RIGHT_ALIGNED.has(HEADINGS[column]) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]),
      )
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
