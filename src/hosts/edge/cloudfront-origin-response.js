// Lambda@Edge on origin responses (us-east-1): gives every error its body and its status.

/* RULES */

/** Entry point: takes the event, returns the response. */
export async function handler(event) {
  const { request, response } = event.Records[0].cf;
  setHeaders(response, RULES.common);
  // The error of a path is below its status. Names that the function on requests lets through need no decoding.
  const [, file, status, path] = /^\/((?:errors\/(\d+)[/.])?(.*))$/.exec(request.uri);
  if (Object.hasOwn(RULES.errors, file)) return refuse(response, status, RULES.errors[file]);
  const { headers, error } = RULES.rules.find(({ match }) => new RegExp(`^(?:${match})$`).test(path));
  // Without the permission to list the bucket, S3 says 403 of a key that is not there.
  if (response.status === '404' || response.status === '403')
    return refuse(response, error.status, RULES.errors[error.file]);
  if (status !== undefined && response.status === '200') return refuse(response, status);
  setHeaders(response, headers);
  return response;
}

/** Without a body, the bucket's is sent. */
function refuse(response, status, body) {
  delete response.headers.etag;
  delete response.headers['last-modified'];
  setHeaders(response, RULES.error);
  response.status = String(status);
  response.statusDescription = '';
  if (body !== undefined) {
    response.body = body;
    response.bodyEncoding = 'text';
  }
  return response;
}

function setHeaders(response, headers) {
  for (const [name, value] of Object.entries(headers)) response.headers[name.toLowerCase()] = [{ key: name, value }];
}
