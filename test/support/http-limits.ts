// The limits of HTTP requests that most tests use.
import type { HttpLimits } from '#net/send-request.ts';

export const LIMITS: HttpLimits = { connectTimeoutMs: 10_000, idleTimeoutMs: 30_000, totalTimeoutMs: 60_000 };
