// Plans which file of a build answers a request: the local server runs this file, and a worker at the edge a copy of it.
// It is plain JavaScript without imports, so that it runs as it stands wherever a host runs programs.
// @ts-check

/** @import { ErrorRule, RouteRule, SiteRules } from '#model/site-rules.ts' */

/**
 * One way to answer. The first candidate whose `needs` is in the build answers, with `file` as its body.
 * @typedef {object} Candidate
 * @property {number} status
 * @property {string} file Path in the build, without a slash in front.
 * @property {string} [needs] A file that must be there; without it, the candidate always answers.
 * @property {Slice} [slice] The part of a list that is asked for, where it is not the whole of `file`.
 */

/**
 * Part of a list, to be cut out of its pages.
 * @typedef {object} Slice
 * @property {number} limit
 * @property {number} offset
 * @property {readonly string[]} pages Files that may hold it, in order; one that begins behind the end of the list is not in the build.
 * @property {number} pageSize
 * @property {number} skip How many results of the first page are before it.
 */

/**
 * A page of a list, as its file holds it.
 * @typedef {object} ListPage
 * @property {number} limit
 * @property {number} offset
 * @property {number} total
 * @property {readonly unknown[]} results
 */

/**
 * Candidates in the order in which they are tried; the last one always answers.
 * @param {string} pathname As a URL has it: encoded, with a slash in front.
 * @param {URLSearchParams} query
 * @param {SiteRules} rules
 * @returns {Candidate[]}
 */
export function planAnswer(pathname, query, rules) {
  const segments = decodeSegments(pathname);
  if (segments === undefined) return [toCandidate(rules.badRequest)];
  // An empty part is no name; at the end it is a trailing slash.
  if (segments.slice(0, -1).includes('')) return [toCandidate(rules.notFound)];
  const path = segments.join('/');
  const withoutSlash = segments.at(-1) === '' ? segments.slice(0, -1).join('/') : path;

  const document = rules.documents.find((rule) => rule.path === path || (rule.isPage && rule.path === withoutSlash));
  if (document !== undefined) return [whereFile(200, document.file), toCandidate(rules.notFound)];
  for (const route of rules.routes) {
    if (route.segments.length === 0 && withoutSlash === route.fixed) return planIndex(route, query, rules);
    const rest = path.startsWith(`${route.fixed}/`) ? path.slice(route.fixed.length + 1) : '';
    if (route.files !== undefined && matches(route.files, rest))
      return [whereFile(200, path), toCandidate(rules.notFound)];
  }
  const route = rules.routes.find((rule) => rule.segments.length > 0 && path.startsWith(`${rule.fixed}/`));
  if (route !== undefined) return planRoute(route, segments, query);

  const isFile =
    (segments[0] === 'variants' || segments[0] === 'images') &&
    // No part is a folder's name for another system.
    segments.every((segment) => /^[^.\\][^\\]*$/.test(segment));
  return isFile ? [whereFile(200, path), toCandidate(rules.notFound)] : [toCandidate(rules.notFound)];
}

/**
 * The answer of a route with parameters: a variant, the path's own answer, its own error, or the route's.
 * @param {RouteRule} route
 * @param {readonly string[]} segments
 * @param {URLSearchParams} query
 * @returns {Candidate[]}
 */
function planRoute(route, segments, query) {
  const values = segments.slice(route.fixed.split('/').length);
  if (values.length !== route.segments.length || values.includes('')) return [toCandidate(route.notFound)];
  if (!values.every((value, index) => matches(route.segments[index] ?? '', value)))
    return [toCandidate(route.badRequest)];
  const path = segments.join('/');
  return [
    ...planVariants(route, path, query),
    whereFile(200, path),
    ...route.ownErrors.map((status) => whereFile(status, `errors/${status}/${path}`)),
    toCandidate(route.notFound),
  ];
}

/**
 * The answer of a route without parameters; of a list, the part that is asked for.
 * @param {RouteRule} route
 * @param {URLSearchParams} query
 * @param {SiteRules} rules
 * @returns {Candidate[]}
 */
function planIndex(route, query, rules) {
  const file = `${route.fixed}/index.json`;
  const last = toCandidate(rules.notFound);
  if (route.list === undefined) return [...planVariants(route, file, query), whereFile(200, file), last];
  const { pageSize, largestLimit, pageFile } = route.list;
  const limit = wholeNumber(query.get('limit'), pageSize);
  const offset = wholeNumber(query.get('offset'), 0);
  if (limit === undefined || limit < 1 || limit > largestLimit || offset === undefined)
    return [toCandidate(route.badRequest)];
  if (limit === pageSize && offset === 0) return [whereFile(200, file), last];
  const first = Math.floor(offset / pageSize);
  const count = Math.ceil((offset + limit) / pageSize) - first;
  const pages = Array.from({ length: count }, (_, index) => pageFile.replace('{page}', String(first + index + 1)));
  const slice = { limit, offset, pages, pageSize, skip: offset - first * pageSize };
  return [{ status: 200, file, needs: file, slice }, last];
}

/**
 * @param {RouteRule} route
 * @param {string} file What answers without a parameter.
 * @param {URLSearchParams} query
 * @returns {Candidate[]}
 */
function planVariants(route, file, query) {
  return route.variants.flatMap(({ name, forms, otherwise }) => {
    const asked = query.get(name);
    if (asked === null || asked === '') return [];
    // A value from the query reaches a path only if it has a form that is written there.
    const form = forms.find(({ pattern }) => matches(pattern, asked));
    const value = form?.value.replace('{0}', asked).replace('{1}', compile(form.pattern).exec(asked)?.[1] ?? '');
    return [
      ...(value === undefined ? [] : [whereFile(200, `variants/${name}/${value}/${file}`)]),
      ...(otherwise === 'answer' ? [] : [{ ...toCandidate(otherwise), needs: file }]),
    ];
  });
}

/**
 * Cuts a slice out of the pages of its list, and reads only those that are there.
 * @param {Slice} slice
 * @param {number} total How long the list is, as its first page tells.
 * @param {(file: string) => ListPage | Promise<ListPage>} readPage
 * @returns {Promise<ListPage>}
 */
export async function cutSlice({ limit, offset, pages, pageSize, skip }, total, readPage) {
  const results = [];
  for (const [index, file] of pages.entries()) {
    if (offset - skip + index * pageSize < total) results.push(...(await readPage(file)).results);
  }
  return { limit, offset, total, results: results.slice(skip, skip + limit) };
}

/**
 * The parts between the slashes, decoded one by one. An encoded slash is part of a name, and stays encoded, so that
 * the parts are the same when they are joined. Undefined if they cannot be decoded.
 * @param {string} pathname
 * @returns {string[] | undefined}
 */
function decodeSegments(pathname) {
  try {
    const segments = pathname
      .split('/')
      .slice(1)
      .map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'));
    return segments.some((segment) => segment.includes('\0')) ? undefined : segments;
  } catch {
    return undefined;
  }
}

/**
 * @param {string | null} text
 * @param {number} otherwise Where there is no text.
 * @returns {number | undefined}
 */
function wholeNumber(text, otherwise) {
  if (text === null || text === '') return otherwise;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** @type {Map<string, RegExp>} */
const compiled = new Map();

/**
 * @param {string} pattern Source of a regular expression without anchors.
 */
function compile(pattern) {
  let regex = compiled.get(pattern);
  if (regex === undefined) {
    regex = new RegExp(`^(?:${pattern})$`);
    compiled.set(pattern, regex);
  }
  return regex;
}

/**
 * @param {string} pattern
 * @param {string} text
 */
function matches(pattern, text) {
  return compile(pattern).test(text);
}

/**
 * @param {number} status
 * @param {string} file
 * @returns {Candidate}
 */
function whereFile(status, file) {
  return { status, file, needs: file };
}

/**
 * @param {ErrorRule} rule
 * @returns {Candidate}
 */
function toCandidate({ status, file }) {
  return { status, file };
}

/**
 * Headers of an answer, apart from its tag and length.
 * @param {Pick<Candidate, 'status' | 'file'>} answer
 * @param {SiteRules} rules
 * @returns {Record<string, string>}
 */
export function headersOf({ status, file }, { headers, documents }) {
  if (status !== 200) return { ...headers.common, ...headers.error };
  const document = documents.find((rule) => rule.file === file);
  if (document !== undefined) return { ...headers.common, ...headers.document, 'Content-Type': document.type };
  const extension = file.slice(file.lastIndexOf('.') + 1);
  const isImage = file.startsWith('images/') && Object.hasOwn(headers.imageTypes, extension);
  const imageType = isImage ? headers.imageTypes[extension] : undefined;
  return imageType === undefined
    ? { ...headers.common, ...headers.answer }
    : { ...headers.common, ...headers.image, 'Content-Type': imageType };
}

/**
 * Whether a client has the answer with this tag (RFC 9110, 13.1.2: a list, weak comparison, or `*`).
 * @param {string} tag
 * @param {string | null | undefined} asked What the client sent as If-None-Match.
 */
export function isAmong(tag, asked) {
  const tags = asked?.split(',').map(withoutWeakness) ?? [];
  return tags.includes('*') || tags.includes(withoutWeakness(tag));
}

/** @param {string} tag */
function withoutWeakness(tag) {
  return tag.trim().replace(/^W\//, '');
}
