// Defines the reasons for which the follower rejects a request.

export const REFUSED_FOR = [
  'address',
  'page',
  'host',
  'path',
  'content-type',
  'not-json',
  'too-large',
  'other-chain',
  'disk-full',
] as const;
export type RefusedFor = (typeof REFUSED_FOR)[number];

export interface Refusal {
  readonly reason: RefusedFor;
  readonly status: number;
  /** Explains the refusal in a phrase without a period. It is the response, and part of the log. */
  readonly message: string;
}
