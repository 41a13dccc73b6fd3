// Describes in OpenAPI the parts that many responses have: errors by status, and headers for revalidation.
import type { RouteError } from '#routes/route.ts';

export type Json = { readonly [key: string]: unknown };

export const ETAG = { description: 'Version of the response, to send as If-None-Match', schema: { type: 'string' } };
export const NOT_MODIFIED = { description: 'The client already has the response' };

/** Describes error responses by status. The description of a status has its errors as examples. */
export function describeErrors(errors: readonly RouteError[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    [...Map.groupBy(errors, ({ status }) => status)].map(([status, errorsWithStatus]) => [
      status,
      {
        description: [...new Set(errorsWithStatus.map(({ body }) => body.error))].join('; '),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(
              errorsWithStatus.map(({ body }) => [exampleName(body.error), { value: body }]),
            ),
          },
        },
      },
    ]),
  );
}

/** Returns the name of an error's example, such as `token-not-found` for `Token not found`. */
function exampleName(error: string): string {
  return error.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
