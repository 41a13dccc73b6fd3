// Finds files of a build that may be the response to a request. Used by the local server and by programs at the edge of
// hosts.
import type { Candidate, Query } from './candidate.ts';
import { planList } from './list-slice.ts';
import { matchEntire } from './pattern.ts';
import type { RuleResponse, SiteRule, SiteRules } from './rules.ts';

/**
 * Returns the candidates for a request in order; the last one can always be sent. The path is encoded, with its leading
 * slash.
 */
export function planResponse(pathname: string, query: Query, rules: SiteRules): Candidate[] {
  const decoded = decodePath(pathname);
  if (decoded === undefined) return [rules.badRequest];
  // A path with an empty part, such as two slashes in a row, does not exist. A trailing slash is allowed.
  if (decoded.startsWith('/') || decoded.includes('//')) return [rules.notFound];
  const requested = withVersion(decoded, rules.unversioned);
  for (const rule of rules.rules) {
    const matched = matchEntire(requested, rule.match);
    if (matched === null) continue;
    const path = matched[1] ?? '';
    return planList(rule, query, planRule(rule, path, query), path);
  }
  return [rules.notFound];
}

function planRule({ responses, headers, version }: SiteRule, path: string, query: Query): Candidate[] {
  return responses.flatMap(({ status, file, needs, anyOf, query: patterns = {} }) => {
    if (anyOf?.some((name) => query.get(name)) === false) return [];
    // Only a value that matches the pattern gets into a path.
    const value = requestedValue(query, patterns);
    if (value === undefined) return [];
    const fill = (text: string) => text.replace('{value}', () => value).replace('{path}', () => path);
    return {
      status,
      file: fill(file),
      ...(needs !== undefined && { needs: fill(needs) }),
      ...(status === 200 && { headers }),
      ...(version && { version }),
    };
  });
}

/**
 * Returns the value that the group of a pattern matched in the query; empty if no pattern has a group. Undefined if the
 * query does not match.
 */
function requestedValue(query: Query, patterns: NonNullable<RuleResponse['query']>): string | undefined {
  let value = '';
  for (const [name, pattern] of Object.entries(patterns)) {
    const matched = matchEntire(query.get(name) ?? '', pattern);
    if (matched === null) return undefined;
    value = matched[1] || value;
  }
  return value;
}

/**
 * Decodes a path without its leading slash. An encoded slash stays encoded. Undefined if the path cannot be decoded.
 */
function decodePath(pathname: string): string | undefined {
  try {
    const parts = pathname.split('/').map((part) => decodeURIComponent(part).replaceAll('/', '%2F'));
    const path = parts.slice(1).join('/');
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}

/** Adds the version to a path that the public API also accepts without it. Returns all other paths unchanged. */
export function withVersion(path: string, { from, to }: SiteRules['unversioned']): string {
  const isIn = (folder: string) => `${path}/`.startsWith(`${folder}/`);
  return isIn(from) && !isIn(to) ? to + path.slice(from.length) : path;
}
