// Lambda@Edge on origin responses (us-east-1): gives an object that is not there the route's own answer, and a token's reason its status.

/* RULES */

/** Entry point: takes the event, returns the response. */
export async function handler(event) {
  const { request, response } = event.Records[0].cf;
  for (const [name, value] of Object.entries(RULES.common))
    response.headers[name.toLowerCase()] = [{ key: name, value }];
  // The function on requests lets through only names that need no encoding.
  const path = request.uri.slice(1);
  if (RULES.documents.indexOf(path) !== -1)
    response.headers['content-security-policy'] = [{ key: 'Content-Security-Policy', value: RULES.documentPolicy }];
  const own = /^errors\/(\d+)\//.exec(path);
  if (response.status === '200' && own !== null) return withStatus(response, Number(own[1]));
  // Without the permission to list the bucket, S3 says 403 of a key that is not there.
  if (response.status !== '404' && response.status !== '403') return response;
  const route = RULES.routes.find(({ fixed, hasParameters }) => hasParameters && path.startsWith(`${fixed}/`));
  const error = route === undefined || isFile(path) ? RULES.notFound : route.notFound;
  response.body = error.body;
  response.bodyEncoding = 'text';
  return withStatus(response, error.status);
}

/** Pages of lists and documents, which are below no route with parameters. */
function isFile(path) {
  return RULES.routes.some(
    ({ fixed, files }) =>
      files !== undefined &&
      path.startsWith(`${fixed}/`) &&
      new RegExp(`^(?:${files})$`).test(path.slice(fixed.length + 1)),
  );
}

function withStatus(response, status) {
  delete response.headers.etag;
  delete response.headers['last-modified'];
  response.status = String(status);
  response.statusDescription = status === 404 ? 'Not Found' : 'Unprocessable Content';
  for (const [name, value] of Object.entries(RULES.error))
    response.headers[name.toLowerCase()] = [{ key: name, value }];
  return response;
}
