// Plans which file of a build answers a request, for the local server, a Worker and CloudFront.
// CloudFront's runtime knows no destructuring, spreading, optional chaining or `for … of`, so none of them is here.
import type { Candidate, PlanList, Query } from './candidate.ts';
import type { RuleAnswer, SiteRule, SiteRules } from './rules.ts';

/** Candidates as they are tried; the last one always answers. The path is as a URL has it: encoded, with a slash. */
export function planAnswer(pathname: string, query: Query, rules: SiteRules, planList?: PlanList): Candidate[] {
  const asked = decodePath(pathname);
  if (asked === undefined) return [rules.badRequest];
  // An empty part is no name; at the end it is a trailing slash.
  if (asked.startsWith('/') || asked.indexOf('//') !== -1) return [rules.notFound];
  const path = withVersion(asked, rules.unversioned);
  for (let index = 0; index < rules.rules.length; index++) {
    const rule = rules.rules[index] as SiteRule;
    const matched = compile(rule.match).exec(path);
    if (matched === null) continue;
    const candidates = planRule(rule, matched[1] || '', query);
    if (rule.list === undefined || planList === undefined) return candidates;
    return planList(rule, query, candidates, matched[1] || '');
  }
  return [rules.notFound];
}

function planRule(rule: SiteRule, path: string, query: Query): Candidate[] {
  const candidates: Candidate[] = [];
  rule.answers.forEach((answer) => {
    if (answer.asks !== undefined && !answer.asks.some((name) => query.get(name))) return;
    // A value from the query reaches a path only if it has the form that is written there.
    const value = askedValue(query, answer.query || {});
    if (value === undefined) return;
    const fill = (file: string) => file.replace('{value}', () => value).replace('{path}', () => path);
    const candidate: Candidate = { status: answer.status, file: fill(answer.file) };
    if (answer.needs !== undefined) candidate.needs = fill(answer.needs);
    if (answer.status === 200) candidate.headers = rule.headers;
    if (rule.version !== undefined) candidate.version = rule.version;
    candidates.push(candidate);
  });
  return candidates;
}

/** The group of what is asked for, empty where there is none. Undefined if something else is asked for. */
function askedValue(query: Query, patterns: NonNullable<RuleAnswer['query']>): string | undefined {
  let value = '';
  const isAsked = Object.keys(patterns).every((name) => {
    const matched = compile(patterns[name] || '').exec(query.get(name) || '');
    if (matched === null) return false;
    value = matched[1] || value;
    return true;
  });
  return isAsked ? value : undefined;
}

/** Without its first slash. An encoded slash is part of a name, and stays. Undefined if it cannot be decoded. */
function decodePath(pathname: string): string | undefined {
  try {
    const parts = pathname.split('/').map((part) => decodeURIComponent(part).replace(/\//g, '%2F'));
    const path = parts.slice(1).join('/');
    return path.indexOf('\0') === -1 ? path : undefined;
  } catch (_error) {
    return undefined;
  }
}

/** The path as it is with its version, where the public API takes it without one too. */
export function withVersion(path: string, folders: SiteRules['unversioned']): string {
  const isIn = (folder: string) => `${path}/`.startsWith(`${folder}/`);
  return isIn(folders.from) && !isIn(folders.to) ? folders.to + path.slice(folders.from.length) : path;
}

/** Takes the source of a regular expression without anchors. */
export function hasForm(text: string, pattern: string): boolean {
  return compile(pattern).test(text);
}

const compiled: Record<string, RegExp> = {};

function compile(pattern: string): RegExp {
  const known = compiled[pattern];
  if (known !== undefined) return known;
  const regex = new RegExp(`^(?:${pattern})$`);
  compiled[pattern] = regex;
  return regex;
}
