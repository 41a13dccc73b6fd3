// CloudFront Function (runtime 2.0) on viewer requests: names the object that answers, before the cache is asked.
// Nothing here can look into the bucket, so a key value store holds the files that it must know to be there.
import cf from 'cloudfront';

/* RULES */

const store = cf.kvs();

/** Entry point: takes the event, returns the request to go on with, or an answer. */
async function handler(event) {
  const request = event.request;
  if (request.method === 'OPTIONS') return { statusCode: 204, headers: fields(RULES.headers) };
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { statusCode: 405, headers: fields(RULES.headers), body: { encoding: 'text', data: RULES.otherBody } };
  const asked = request.querystring;
  const query = { get: (name) => firstValue(asked[name]) };
  const candidates = planAnswer(request.uri.replace(/%2F/gi, '/'), query, RULES);
  request.querystring = {};
  for (let index = 0; index < candidates.length - 1; index++) {
    const candidate = candidates[index];
    if (await store.exists(candidate.needs || candidate.file)) return goOn(request, candidate.file);
  }
  // Whether the last one is there the bucket says; the function on its responses answers if not, and every fixed error.
  return goOn(request, candidates[candidates.length - 1].file);
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

function goOn(request, file) {
  if (file.startsWith('errors/'))
    // What a client says of the answer that it has is not said of an error.
    ['range', 'if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since'].forEach((name) => {
      delete request.headers[name];
    });
  request.uri = `/${file}`;
  return request;
}

function fields(headers) {
  const named = {};
  Object.keys(headers).forEach((name) => {
    named[name.toLowerCase()] = { value: headers[name] };
  });
  return named;
}
