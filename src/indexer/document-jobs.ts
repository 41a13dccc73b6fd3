// Makes the jobs that fetch documents, or the images that documents name.
import type { NewJob } from '#store/jobs.ts';

/** A document of a token: the default one, whose locale is '', or that of a locale. */
export interface DocumentKey {
  readonly tokenId: number;
  readonly locale: string;
}

export function jobsOf(kind: 'fetch-document' | 'fetch-image', documents: readonly DocumentKey[]): NewJob[] {
  return documents.map(({ tokenId, locale }) => ({ kind, tokenId, part: locale }));
}
