// Plans which file of a build answers a request, for the local server, a Worker and CloudFront.
// CloudFront's runtime knows no destructuring, spreading, optional chaining or `for … of`, so none of them is here.
// @ts-check

/** @import { Headers } from './headers.ts' */
/** @import { SiteRule, SiteRules } from './rules.ts' */
/** @import { Slice } from './list-slice.js' */

/**
 * One way to answer. The first candidate whose `needs` is in the build answers, with `file` as its body.
 * @typedef {object} Candidate
 * @property {number} status
 * @property {string} file Path in the build, without a slash in front.
 * @property {string} [needs] A file that must be there; without it, the candidate always answers.
 * @property {Headers} [headers] Of an answer of status 200, besides those that all have.
 * @property {SiteRule['version']} [version] Of a file that is named with a version of its bytes.
 * @property {Slice} [slice] The part of a list that is asked for, where it is not the whole of `file`.
 * @property {string[]} [identifiers] The tokens that are asked for, where the answer is made of theirs.
 */

/**
 * What plans the answers of a list, where a program can cut and search it; `whole` are those that are files.
 * @typedef {(rule: SiteRule, query: Query, whole: Candidate[], path: string) => Candidate[]} PlanList
 */

/** @typedef {Pick<URLSearchParams, 'get'>} Query */

/**
 * Candidates in the order in which they are tried; the last one always answers.
 * @param {string} pathname As a URL has it: encoded, with a slash in front.
 * @param {Query} query
 * @param {SiteRules} rules
 * @param {PlanList} [planList]
 * @returns {Candidate[]}
 */
export function planAnswer(pathname, query, rules, planList) {
  const asked = decodePath(pathname);
  if (asked === undefined) return [rules.badRequest];
  // An empty part is no name; at the end it is a trailing slash.
  if (asked.startsWith('/') || asked.indexOf('//') !== -1) return [rules.notFound];
  const path = withVersion(asked, rules.unversioned);
  for (let index = 0; index < rules.rules.length; index++) {
    const rule = /** @type {SiteRule} */ (rules.rules[index]);
    const matched = compile(rule.match).exec(path);
    if (matched === null) continue;
    const candidates = planRule(rule, matched[1] || '', query, rules);
    if (rule.list === undefined || planList === undefined) return candidates;
    return planList(rule, query, candidates, matched[1] || '');
  }
  return [rules.notFound];
}

/**
 * @param {SiteRule} rule
 * @param {string} path
 * @param {Query} query
 * @param {SiteRules} rules
 * @returns {Candidate[]}
 */
function planRule(rule, path, query, rules) {
  /** @type {Candidate[]} */
  const candidates = [];
  rule.answers.forEach((answer) => {
    const names = (answer.query || '').split('&');
    const asked = names.map((name) => query.get(name) || '').join('&');
    if (answer.query !== undefined && asked.length < names.length) return;
    // A value from the query reaches a path only if it has a form that is written there.
    const value = nameOf(asked, rules.parameters[answer.query || '']);
    if (value === undefined && answer.file.indexOf('{value}') !== -1) return;
    /** @param {string} file */
    const fill = (file) => file.replace('{value}', () => value || '').replace('{path}', () => path);
    /** @type {Candidate} */
    const candidate = { status: answer.status, file: fill(answer.file) };
    if (answer.needs !== undefined) candidate.needs = fill(answer.needs);
    if (answer.status === 200) candidate.headers = rule.headers;
    if (rule.version !== undefined) candidate.version = rule.version;
    candidates.push(candidate);
  });
  return candidates;
}

/**
 * What an asked value is called in a path, by the first form that it has.
 * @param {string} asked
 * @param {SiteRules['parameters'][string]} [forms]
 * @returns {string | undefined}
 */
function nameOf(asked, forms) {
  const form = forms === undefined ? undefined : forms.find((one) => hasForm(asked, one.pattern));
  if (form === undefined) return undefined;
  const matched = compile(form.pattern).exec(asked);
  return form.value.replace('{1}', () => (matched === null ? '' : matched[1] || ''));
}

/**
 * The path without its first slash, decoded part by part. An encoded slash is part of a name, and stays encoded.
 * Undefined if it cannot be decoded.
 * @param {string} pathname
 * @returns {string | undefined}
 */
function decodePath(pathname) {
  try {
    const parts = pathname.split('/').map((part) => decodeURIComponent(part).replace(/\//g, '%2F'));
    const path = parts.slice(1).join('/');
    return path.indexOf('\0') === -1 ? path : undefined;
  } catch (_error) {
    return undefined;
  }
}

/**
 * The path as it is with its version, where the public API takes it without one too.
 * @param {string} path
 * @param {SiteRules['unversioned']} folders
 */
export function withVersion(path, folders) {
  /** @param {string} folder */
  const isIn = (folder) => `${path}/`.startsWith(`${folder}/`);
  return isIn(folders.from) && !isIn(folders.to) ? folders.to + path.slice(folders.from.length) : path;
}

/**
 * @param {string} text
 * @param {string} pattern Source of a regular expression without anchors.
 */
export function hasForm(text, pattern) {
  return compile(pattern).test(text);
}

/** @type {Record<string, RegExp>} */
const compiled = {};

/**
 * @param {string} pattern Source of a regular expression without anchors.
 * @returns {RegExp}
 */
function compile(pattern) {
  const known = compiled[pattern];
  if (known !== undefined) return known;
  const regex = new RegExp(`^(?:${pattern})$`);
  compiled[pattern] = regex;
  return regex;
}
