// Describes in OpenAPI what responses have in common: errors by their status, and the validators of caches.
import type { RouteError } from '#routes/route.ts';

export type Json = { readonly [key: string]: unknown };

export const ETAG = { description: 'Sent back as If-None-Match, it saves the body', schema: { type: 'string' } };
export const NOT_MODIFIED = { description: 'The client has the response already' };

/** Returns responses by status, with an example for each error. */
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

/** `token-not-found` for `Token not found`. */
function exampleName(error: string): string {
  return error.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
