// Opens a reader of a site or an API that a command compares with, within the limits of the settings.
import { PoliteReader } from '#net/polite-reader.ts';
import { readLimits } from './document-source.ts';
import type { READING_OPTIONS } from './options.ts';
import type { Settings } from './setting.ts';

export function openReader(
  baseUrl: string,
  settings: Settings<typeof READING_OPTIONS>,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): PoliteReader {
  const { rate: requestsPerMinute, concurrency, wait } = settings;
  return new PoliteReader({
    baseUrl,
    headers: { accept: 'application/json', ...headers },
    limits: readLimits(settings),
    concurrency,
    requestsPerMinute,
    patienceMs: wait * 1000,
    signal,
  });
}
