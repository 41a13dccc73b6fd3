// Returns the headers that an object of a bucket carries itself.
import { headersOf } from './answer-request.ts';
import { planAnswer } from './plan-answer.ts';
import type { SiteRules } from './rules.ts';

export interface ObjectHeaders {
  readonly 'Content-Type': string;
  readonly 'Cache-Control': string;
}

/** A file in errors/ has the headers of an answer, until something in front gives it a status. */
export function objectHeaders(path: string, rules: SiteRules): ObjectHeaders {
  const [planned] = planAnswer(`/${path}`, new URLSearchParams(), rules);
  const headers = headersOf(planned?.file === path ? planned : { status: 200 }, rules);
  return { 'Content-Type': headers['Content-Type'] ?? '', 'Cache-Control': headers['Cache-Control'] ?? '' };
}
