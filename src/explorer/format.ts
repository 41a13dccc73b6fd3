// Formats amounts, times and addresses for people.

const MINUTE_MS = 60_000;
const MINUTES_OF_DAY = 1_440;

/** A contract may return any number of decimals. */
const MAX_DECIMALS = 80;

/**
 * Formats an amount of the smallest unit in entire tokens: `1,234.5`. Exact for any length. If the decimals are unknown
 * or above {@link MAX_DECIMALS}, returns the amount as `1,234 base units`.
 */
export function formatAmount(amount: string, decimals: number | undefined): string {
  if (!/^\d+$/.test(amount)) return amount;
  if (decimals === undefined || !(decimals >= 0 && decimals <= MAX_DECIMALS))
    return `${BigInt(amount).toLocaleString('en-US')} base units`;
  const digits = amount.padStart(decimals + 1, '0');
  const units = BigInt(digits.slice(0, digits.length - decimals)).toLocaleString('en-US');
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  return fraction === '' ? units : `${units}.${fraction}`;
}

/** Formats a time of the last 24 hours as `4 minutes ago`, and an older time as `17 Dec 2024`. */
export function formatAge(iso: string, now: number): string {
  const minutes = Math.max(0, Math.round((now - Date.parse(iso)) / MINUTE_MS));
  const inWords = new Intl.RelativeTimeFormat('en');
  if (minutes < 60) return inWords.format(-minutes, 'minute');
  if (minutes < MINUTES_OF_DAY) return inWords.format(-Math.round(minutes / 60), 'hour');
  return formatDay(iso);
}

/** Formats a day or a time in UTC: `17 Dec 2024`. */
export function formatDay(iso: string): string {
  const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(iso).toLocaleDateString('en-GB', day);
}

/** Shortens a token number, which may have 39 digits: `340282…1455`. */
export function shortNumber(number: string): string {
  return number.length <= 12 ? number : `${number.slice(0, 6)}…${number.slice(-4)}`;
}

/** Shortens an address for a title: `SP2J6Z…QRZV4T`. */
export function shortAddress(address: string): string {
  return address.length <= 16 ? address : `${address.slice(0, 6)}…${address.slice(-6)}`;
}
