// CloudFront Function (runtime 2.0) on viewer requests: names the object that answers, before the cache is asked.
// Nothing here can look into the bucket, so a key value store holds the files that it must know to be there.
import type { Candidate } from '#serving/candidate.ts';
import type { Headers } from '#serving/headers.ts';
import { planAnswer } from '#serving/plan-answer.ts';
import type { SiteRule, SiteRules } from '#serving/rules.ts';

/** The file that a build writes imports it. */
declare const cf: { kvs(): { exists(key: string): Promise<boolean> } };

/** The bundler puts it in: `site` has what `planAnswer` reads, and no more. */
declare const RULES: {
  readonly site: Omit<SiteRules, 'rules'> & { readonly rules: (Omit<SiteRule, 'match'> & { match: string })[] };
  /** The texts for which `<0>`, `<1>` … stand in a `match`. */
  readonly parts: readonly string[];
  readonly headers: Headers;
  readonly otherBody: string;
};

RULES.site.rules.forEach((rule) => {
  rule.match = rule.match.replace(/<(\d)>/g, (_all, index) => RULES.parts[index] || '');
});

interface Parameter {
  readonly value: string;
  readonly multiValue?: readonly [{ readonly value: string }];
}

interface ViewerRequest {
  readonly method: string;
  uri: string;
  querystring: Record<string, Parameter>;
  readonly headers: Record<string, unknown>;
}

const store = cf.kvs();

/** The entry point, `handler`, is written behind all of this, and calls it. */
// biome-ignore lint/style/useConst: it is assigned below, and declared in the bundle
declare let answer: typeof answerOrGoOn;
answer = answerOrGoOn;

/** Takes the event, returns the request to go on with, or an answer. */
async function answerOrGoOn(event: { readonly request: ViewerRequest }): Promise<object> {
  const request = event.request;
  if (request.method === 'OPTIONS') return { statusCode: 204, headers: fields(RULES.headers) };
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { statusCode: 405, headers: fields(RULES.headers), body: { encoding: 'text', data: RULES.otherBody } };
  const asked = request.querystring;
  const query = { get: (name: string) => firstValue(asked[name]) };
  const candidates = planAnswer(request.uri.replace(/%2F/gi, '/'), query, RULES.site);
  request.querystring = {};
  for (let index = 0; index < candidates.length - 1; index++) {
    const candidate = candidates[index] as Candidate;
    if (await store.exists(candidate.needs || candidate.file)) return goOn(request, candidate.file);
  }
  // The bucket says whether the last one is there; the function on its responses answers if not, and every fixed error.
  return goOn(request, (candidates[candidates.length - 1] as Candidate).file);
}

/** The first value counts if a parameter is repeated. */
function firstValue(parameter: Parameter | undefined): string | null {
  if (parameter === undefined) return null;
  const first = parameter.multiValue === undefined ? parameter.value : parameter.multiValue[0].value;
  try {
    return decodeURIComponent(first.replace(/\+/g, ' '));
  } catch (_error) {
    // It has no form that a value may have.
    return '%';
  }
}

function goOn(request: ViewerRequest, file: string): ViewerRequest {
  if (file.startsWith('errors/'))
    // A client's conditions are about the answer that it has, and not about an error.
    ['range', 'if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since'].forEach((name) => {
      delete request.headers[name];
    });
  request.uri = `/${file}`;
  return request;
}

function fields(headers: Headers): Record<string, { readonly value: string }> {
  const named: Record<string, { readonly value: string }> = {};
  Object.keys(headers).forEach((name) => {
    named[name.toLowerCase()] = { value: headers[name] || '' };
  });
  return named;
}
