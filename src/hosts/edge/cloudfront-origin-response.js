// Lambda@Edge on origin responses (us-east-1): answers for an object that is not there, and gives a reason its status.

/* RULES */

/** Entry point: takes the event, returns the response. */
export async function handler(event) {
  const { request, response } = event.Records[0].cf;
  setHeaders(response, RULES.common);
  // Names that the function on requests lets through need no decoding. A path's error is below its status.
  const [, own, path] = /^(?:errors\/(\d+)\/)?(.*)$/.exec(request.uri.slice(1));
  const { headers, error } = RULES.rules.find(({ match }) => new RegExp(`^(?:${match})$`).test(path));
  // Without the permission to list the bucket, S3 says 403 of a key that is not there.
  if (response.status === '404' || response.status === '403') {
    response.body = error.body;
    response.bodyEncoding = 'text';
    return withStatus(response, error.status);
  }
  if (own !== undefined && response.status === '200') return withStatus(response, Number(own));
  setHeaders(response, headers);
  return response;
}

function withStatus(response, status) {
  delete response.headers.etag;
  delete response.headers['last-modified'];
  response.status = String(status);
  response.statusDescription = status === 404 ? 'Not Found' : 'Unprocessable Content';
  setHeaders(response, RULES.error);
  return response;
}

function setHeaders(response, headers) {
  for (const [name, value] of Object.entries(headers)) response.headers[name.toLowerCase()] = [{ key: name, value }];
}
