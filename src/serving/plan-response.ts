// Plans which file of a build answers a request, for the local server and for programs at the edge.
import type { Candidate, Query } from './candidate.ts';
import { planList } from './list-slice.ts';
import { matchEntire } from './pattern.ts';
import type { RuleResponse, SiteRule, SiteRules } from './rules.ts';

/** Candidates as they are tried; the last one always answers. The path is as a URL has it: encoded, with a slash. */
export function planResponse(pathname: string, query: Query, rules: SiteRules): Candidate[] {
  const asked = decodePath(pathname);
  if (asked === undefined) return [rules.badRequest];
  // An empty part is no name; at the end it is a trailing slash.
  if (asked.startsWith('/') || asked.includes('//')) return [rules.notFound];
  const whole = withVersion(asked, rules.unversioned);
  for (const rule of rules.rules) {
    const matched = matchEntire(whole, rule.match);
    if (matched === null) continue;
    const path = matched[1] ?? '';
    return planList(rule, query, planRule(rule, path, query), path);
  }
  return [rules.notFound];
}

function planRule({ answers, headers, version }: SiteRule, path: string, query: Query): Candidate[] {
  return answers.flatMap(({ status, file, needs, asks, query: patterns = {} }) => {
    if (asks?.some((name) => query.get(name)) === false) return [];
    // A value from the query reaches a path only if it has the form that is written there.
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

/** The group of what is asked for, empty where there is none. Undefined if something else is asked for. */
function requestedValue(query: Query, patterns: NonNullable<RuleResponse['query']>): string | undefined {
  let value = '';
  for (const [name, pattern] of Object.entries(patterns)) {
    const matched = matchEntire(query.get(name) ?? '', pattern);
    if (matched === null) return undefined;
    value = matched[1] || value;
  }
  return value;
}

/** Without its first slash. An encoded slash is part of a name, and stays. Undefined if it cannot be decoded. */
function decodePath(pathname: string): string | undefined {
  try {
    const parts = pathname.split('/').map((part) => decodeURIComponent(part).replaceAll('/', '%2F'));
    const path = parts.slice(1).join('/');
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}

/** The path as it is with its version, where the public API takes it without one too. */
export function withVersion(path: string, { from, to }: SiteRules['unversioned']): string {
  const isIn = (folder: string) => `${path}/`.startsWith(`${folder}/`);
  return isIn(from) && !isIn(to) ? to + path.slice(from.length) : path;
}
