// CloudFront Function (runtime 2.0) on viewer requests: names the object that answers, before the cache is asked.
// The distribution's key value store holds the paths of tokens and of their variants, since nothing here can look into the bucket.
// The runtime knows no destructuring, spreading, optional chaining or `for … of`, so none of them is here.
import cf from 'cloudfront';

/* RULES */

const store = cf.kvs();

/** Entry point: takes the event, returns the request to go on with, or an answer. */
async function handler(event) {
  const request = event.request;
  if (request.method === 'OPTIONS') return respond(204, undefined, RULES.preflight);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return respond(RULES.methodNotAllowed.status, RULES.methodNotAllowed.body, { allow: RULES.methods });
  const path = decode(request.uri.slice(1));
  if (path === undefined) return refuse(RULES.badRequest);
  if (path.startsWith('/') || path.indexOf('//') !== -1) return refuse(RULES.notFound);
  const query = request.querystring;
  request.querystring = {};

  const withoutSlash = path.replace(/\/$/, '');
  const document = RULES.documents[path] || RULES.pages[withoutSlash];
  // Whatever else an object has by the name of a path is no file.
  if (typeof document === 'string') return goOn(request, document);
  for (let index = 0; index < RULES.routes.length; index++) {
    const route = RULES.routes[index];
    if (isFileOf(route, path)) return goOn(request, path);
    if (route.segments.length === 0 && withoutSlash === route.fixed)
      return answer(request, route, `${route.fixed}/index.json`, query);
  }
  const below = RULES.routes.find((route) => route.segments.length > 0 && path.startsWith(`${route.fixed}/`));
  if (below !== undefined) {
    const error = errorOf(below, path);
    return error === undefined ? answer(request, below, path, query) : refuse(error);
  }
  return /^(variants|images)(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(path)
    ? goOn(request, path)
    : refuse(RULES.notFound);
}

function isFileOf(route, path) {
  return (
    route.files !== undefined &&
    path.startsWith(`${route.fixed}/`) &&
    matches(route.files, path.slice(route.fixed.length + 1))
  );
}

/** What is wrong with a path of a route with parameters. */
function errorOf(route, path) {
  const values = path.slice(route.fixed.length + 1).split('/');
  if (values.length !== route.segments.length || values.indexOf('') !== -1) return route.notFound;
  return values.every((value, index) => matches(route.segments[index], value)) ? undefined : route.badRequest;
}

async function answer(request, route, file, query) {
  for (let index = 0; index < route.variants.length; index++) {
    const variant = route.variants[index];
    const value = firstValue(query[variant.name]);
    if (value === '') continue;
    const form = value === undefined ? undefined : variant.forms.find((one) => matches(one.pattern, value));
    if (form !== undefined) {
      const group = new RegExp(`^(?:${form.pattern})$`).exec(value)[1];
      const variantFile = `variants/${variant.name}/${form.value.replace('{0}', value).replace('{1}', group)}/${file}`;
      if (await store.exists(variantFile)) return goOn(request, variantFile);
    }
    // Of a list, the path itself is always there.
    if (variant.otherwise !== 'answer' && (route.segments.length === 0 || (await statusOf(file)) === '200'))
      return refuse(variant.otherwise);
  }
  const status = route.ownErrors.length === 0 ? undefined : await statusOf(file);
  // The bucket has the reason; the function on its responses gives it its status.
  return goOn(request, status === undefined || status === '200' ? file : `errors/${status}/${file}`);
}

async function statusOf(file) {
  return (await store.exists(file)) ? store.get(file) : undefined;
}

/** Of a parameter that is repeated, the first one counts. */
function firstValue(parameter) {
  if (parameter === undefined) return '';
  const first = parameter.multiValue === undefined ? parameter.value : parameter.multiValue[0].value;
  return decode(first.replace(/\+/g, ' '));
}

function goOn(request, file) {
  if (file.startsWith('errors/'))
    // What a client says of the answer that it has is not said of an error.
    ['range', 'if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since'].forEach((name) => {
      delete request.headers[name];
    });
  request.uri = `/${file}`;
  return request;
}

function refuse(error) {
  return respond(error.status, error.body, {});
}

function respond(status, body, more) {
  const headers = {};
  const all = Object.assign({}, RULES.headers, more);
  Object.keys(all).forEach((name) => {
    headers[name.toLowerCase()] = { value: all[name] };
  });
  const response = { statusCode: status, headers: headers };
  if (body !== undefined) response.body = { encoding: 'text', data: body };
  return response;
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    return undefined;
  }
}

function matches(pattern, text) {
  return new RegExp(`^(?:${pattern})$`).test(text);
}
