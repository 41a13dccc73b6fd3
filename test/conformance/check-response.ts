// Compares a response with the expected response, and describes the differences.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Expected, HeaderExpectation } from './expected.ts';
import { bodyText, type TestResponse } from './send.ts';

/** Returns a description of each difference from the expected response; an empty list without differences. */
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

/** True if an object contains all expected members. Lists must also have the expected length. */
function contains(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return isDeepStrictEqual(actual, expected);
  if (typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) return false;
  return Object.entries(expected).every(([key, value]) => contains((actual as Record<string, unknown>)[key], value));
}
