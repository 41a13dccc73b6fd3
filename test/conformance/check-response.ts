// Compares an answer with what the table expects of it, and says in words where they differ.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Expected, HeaderExpectation } from './expected.ts';
import { type Answered, bodyText } from './send.ts';

/** Differences, none where the answer is as expected. */
export function differences(answer: Answered, expected: Expected, dist: string): string[] {
  return [
    ...(answer.status === expected.status ? [] : [`status ${answer.status}, expected ${expected.status}`]),
    ...Object.entries(expected.headers ?? {}).flatMap(([name, wanted]) =>
      headerDifference(name, answer.headers[name], wanted),
    ),
    ...bodyDifference(answer, expected, dist),
  ];
}

function headerDifference(name: string, given: string | undefined, wanted: HeaderExpectation): string[] {
  const matches = wanted instanceof RegExp ? given !== undefined && wanted.test(given) : given === wanted;
  return matches ? [] : [`${name}: ${given ?? '(none)'}, expected ${wanted ?? '(none)'}`];
}

function bodyDifference(answer: Answered, { body }: Expected, dist: string): string[] {
  if (body === undefined) return [];
  const text = bodyText(answer);
  if ('text' in body) {
    const matches = body.text === '' ? text === '' : body.text.test(text);
    return matches ? [] : [`body ${JSON.stringify(text.slice(0, 100))}, expected ${body.text || 'none'}`];
  }
  if ('file' in body) {
    const file = readFileSync(join(dist, body.file), 'utf8');
    return text === file ? [] : [`body ${JSON.stringify(text.slice(0, 100))}, expected that of ${body.file}`];
  }
  try {
    const given: unknown = JSON.parse(text);
    return contains(given, body.json) ? [] : [`body ${text.slice(0, 100)}, expected ${JSON.stringify(body.json)}`];
  } catch {
    return [`body ${JSON.stringify(text.slice(0, 100))}, which is not JSON`];
  }
}

/** Whether all that is wanted is there; lists have as many items as are wanted. */
function contains(given: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return isDeepStrictEqual(given, wanted);
  if (typeof given !== 'object' || given === null) return false;
  if (Array.isArray(wanted) && (!Array.isArray(given) || given.length !== wanted.length)) return false;
  return Object.entries(wanted).every(([key, value]) => contains((given as Record<string, unknown>)[key], value));
}
