// Compares a response with the expected one and describes the differences.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Expected, HeaderExpectation } from './expected.ts';
import { bodyText, type TestResponse } from './send.ts';

/** Returns a description of each difference; the list is empty if the response is as expected. */
export function differences(response: TestResponse, expected: Expected, dist: string): string[] {
  return [
    ...(response.status === expected.status ? [] : [`status ${response.status}, expected ${expected.status}`]),
    ...Object.entries(expected.headers ?? {}).flatMap(([name, header]) =>
      headerDifference(name, response.headers[name], header),
    ),
    ...bodyDifference(response, expected, dist),
  ];
}

function headerDifference(name: string, actual: string | undefined, expected: HeaderExpectation): string[] {
  const matches = expected instanceof RegExp ? actual !== undefined && expected.test(actual) : actual === expected;
  return matches ? [] : [`${name}: ${actual ?? '(none)'}, expected ${expected ?? '(none)'}`];
}

function bodyDifference(response: TestResponse, { body }: Expected, dist: string): string[] {
  if (body === undefined) return [];
  const text = bodyText(response);
  if ('text' in body) {
    const matches = body.text === '' ? text === '' : body.text.test(text);
    return matches ? [] : [`body ${JSON.stringify(text.slice(0, 100))}, expected ${body.text || 'none'}`];
  }
  if ('file' in body) {
    const file = readFileSync(join(dist, body.file), 'utf8');
    return text === file ? [] : [`body ${JSON.stringify(text.slice(0, 100))}, expected that of ${body.file}`];
  }
  try {
    const actual: unknown = JSON.parse(text);
    return contains(actual, body.json) ? [] : [`body ${text.slice(0, 100)}, expected ${JSON.stringify(body.json)}`];
  } catch {
    return [`body ${JSON.stringify(text.slice(0, 100))}, which is not JSON`];
  }
}

/** True if the value contains all expected members; lists must have the same length. */
function contains(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return isDeepStrictEqual(actual, expected);
  if (typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) return false;
  return Object.entries(expected).every(([key, value]) => contains((actual as Record<string, unknown>)[key], value));
}
