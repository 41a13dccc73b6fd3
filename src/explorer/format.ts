// Writes amounts, times and addresses as people read them.

/** Writes an amount in the smallest unit in whole tokens: `1,234.5`. Exact, however large. */
export function formatAmount(amount: string, decimals: number): string {
  if (!/^\d+$/.test(amount) || !(decimals >= 0 && decimals <= 80)) return amount;
  const digits = amount.padStart(decimals + 1, '0');
  const whole = BigInt(digits.slice(0, digits.length - decimals)).toLocaleString('en-US');
  const rest = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  return rest === '' ? whole : `${whole}.${rest}`;
}

export function formatAge(iso: string, now: number): string {
  const minutes = Math.max(0, Math.round((now - Date.parse(iso)) / 60_000));
  const inWords = new Intl.RelativeTimeFormat('en');
  if (minutes < 60) return inWords.format(-minutes, 'minute');
  if (minutes < 2_880) return inWords.format(-Math.round(minutes / 60), 'hour');
  return inWords.format(-Math.round(minutes / 1_440), 'day');
}

/** `SP2J6ZY4…QRZV4T6`, for where there is no room. */
export function shortAddress(address: string): string {
  return address.length <= 16 ? address : `${address.slice(0, 6)}…${address.slice(-6)}`;
}
