// Writes amounts for people: `2 tokens`, `12.3 MB`, `3 min`.
import type { Comparison } from '#compare/compare-api.ts';
import { formatCount } from '#text/format-count.ts';

export function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** In units of 1,000. */
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

export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Answers of another server that did not come, the first of them by name. */
export function describeUnread(failures: Comparison['failures'], most: number): string[] {
  if (failures.length === 0) return [];
  const named = failures.slice(0, most).map(({ path, code, message }) => `  ${path}: ${code}: ${message}`);
  return [`${count(failures.length, 'answer')} could not be read; run it again:`, ...named];
}
