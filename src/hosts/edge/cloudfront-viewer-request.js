// CloudFront Function (runtime 2.0) on viewer requests: names the object that answers, before the cache is asked.
// Nothing here can look into the bucket, so a key value store holds the files that it must know to be there.
import cf from 'cloudfront';

/* RULES */

const store = cf.kvs();

/** Entry point: takes the event, returns the request to go on with, or an answer. */
async function handler(event) {
  const request = event.request;
  if (request.method === 'OPTIONS') return respond(204, undefined, RULES.preflight);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(RULES.methodNotAllowed);
  const asked = request.querystring;
  const query = { get: (name) => firstValue(asked[name]) };
  const candidates = planAnswer(request.uri.replace(/%2F/gi, '/'), query, RULES);
  request.querystring = {};
  for (let index = 0; index < candidates.length - 1; index++) {
    const candidate = candidates[index];
    if (await store.exists(candidate.needs || candidate.file)) return answer(request, candidate);
  }
  // Whether the last one is there the bucket says; if not, the function on its responses refuses.
  return answer(request, candidates[candidates.length - 1]);
}

/** Of a parameter that is repeated, the first one counts. */
function firstValue(parameter) {
  if (parameter === undefined) return null;
  const first = parameter.multiValue === undefined ? parameter.value : parameter.multiValue[0].value;
  try {
    return decodeURIComponent(first.replace(/\+/g, ' '));
  } catch (error) {
    // It has no form that a value may have.
    return '%';
  }
}

/** A fixed error is known here; everything else is in the bucket. */
function answer(request, candidate) {
  const file = candidate.file;
  if (RULES.errors[file] !== undefined) return refuse(candidate);
  if (file.startsWith('errors/'))
    // What a client says of the answer that it has is not said of an error.
    ['range', 'if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since'].forEach((name) => {
      delete request.headers[name];
    });
  request.uri = `/${file}`;
  return request;
}

function refuse(answer) {
  return respond(
    answer.status,
    RULES.errors[answer.file],
    answer.status === 405 ? { Allow: RULES.preflight.Allow } : {},
  );
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
