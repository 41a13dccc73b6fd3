// Describes the API in OpenAPI 3.1. The description is made from the routes and their schemas; its examples come from
// the sample chain.

import { z } from 'zod';
import { GENERAL_ERRORS } from '#routes/all.ts';
import { LOCALE_VARIANT } from '#routes/localized-pages.ts';
import type { ListPages, Route, RouteError, SearchParameter } from '#routes/route.ts';
import { tokenBatch } from '#routes/token-batch.ts';
import { HEADER_RULES, type Headers } from '#serving/headers.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { batchExample, EXAMPLES, type Example, type ExampleIds, exampleId } from './examples.ts';
import { variantErrors } from './rule-parts.ts';

type Json = { readonly [key: string]: unknown };

interface ApiFacts {
  readonly routes: readonly Route[];
  readonly publicUrl: string;
  readonly name: string;
  readonly ids: ExampleIds;
}

/** Renders the file openapi.json. */
export function renderOpenApi({ routes, publicUrl, name, ids }: ApiFacts): string {
  const document = {
    openapi: '3.1.0',
    info: {
      title: name,
      version: packageJson.version,
      description: DESCRIPTION,
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [publicUrl === '' ? LOCAL_SERVER : { url: publicUrl, description: 'This site' }],
    security: [],
    tags: [...new Set([...routes.map(({ inBuilds }) => TAGS[inBuilds]), TAGS.all])],
    paths: {
      ...Object.fromEntries(routes.map((route) => [`/${route.path}`, { get: operation(route, ids) }])),
      [`/${tokenBatch.path}`]: { get: describeBatch(ids) },
    },
    components: {
      schemas: {
        ...Object.fromEntries([...routes, tokenBatch].map((route) => [schemaName(route), toSchema(route)])),
        Error: ERROR_SCHEMA,
      },
    },
  };
  return JSON.stringify(document);
}

const LOCAL_SERVER = {
  url: '/',
  description: 'Host of this description. For a site below a path, build with --public-url',
};

const DESCRIPTION = [
  'Token and contract metadata of the Stacks blockchain as static files.',
  'The examples are responses for the bundled sample chain.',
  'Errors are JSON, and must not be cached. Methods other than GET, HEAD and OPTIONS return 405.',
  'Hosts that ignore query strings serve the response to `<path>?<parameter>=<value>` at',
  '`variants/<parameter>/<value>/<path>` if it differs from the response to the path,',
  'a list at `<path>/index.json`, and its pages at `<path>/pages/<limit>/<offset>.json`.',
].join(' ');

const ERROR_SCHEMA = {
  type: 'object',
  properties: {
    error: { type: 'string' },
    message: { type: 'string', description: 'The reason, in a sentence; omitted if `error` is the reason' },
  },
  required: ['error'],
  additionalProperties: false,
};

/** The groups of paths, by the builds that have the paths. */
const TAGS: Readonly<Record<Route['inBuilds'], { readonly name: string; readonly description: string }>> = {
  ft: {
    name: 'Fungible tokens',
    description: 'SIP-010 tokens: a single token, a page of tokens, or all tokens in one file',
  },
  nft: { name: 'Non-fungible tokens', description: 'SIP-009 collections and their tokens' },
  sft: { name: 'Semi-fungible tokens', description: 'SIP-013 collections and their tokens' },
  whole: { name: 'Interfaces and calls', description: 'Interfaces of contracts, and calls between contracts' },
  all: {
    name: 'Tokens and contracts',
    description: 'Status of tokens, sources of contracts, files to search, and the state of the chain and the site',
  },
};

function schemaName({ id }: Pick<Route, 'id'>): string {
  return id.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());
}

function toSchema(route: Pick<Route, 'schema'>): Json {
  const { $schema, ...schema } = z.toJSONSchema(route.schema(z), { target: 'draft-2020-12', override: boundTuple });
  return schema;
}

/** Repeats the item schemas of a tuple in `items`, for tools that do not support `prefixItems`. */
function boundTuple({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { prefixItems } = jsonSchema;
  if (prefixItems === undefined) return;
  const size = prefixItems.length;
  Object.assign(jsonSchema, { items: { anyOf: prefixItems }, minItems: size, maxItems: size });
}

function operation(route: Route, ids: ExampleIds): Json {
  const example = EXAMPLES[route.id];
  const { headers = HEADER_RULES.response } = route;
  return {
    operationId: schemaName(route),
    summary: route.summary,
    tags: [TAGS[route.inBuilds].name],
    parameters: [...pathParameters(route, ids), ...queryParameters(route)],
    responses: { ...success(headers, route, example), ...errorResponses(route, example) },
  };
}

const ETAG = { description: 'Version of the response, to send as If-None-Match', schema: { type: 'string' } };
const NOT_MODIFIED = { description: 'The client already has the response' };

function success(headers: Headers, route: Pick<Route, 'id'>, example: Example | undefined): Json {
  const schema = { $ref: `#/components/schemas/${schemaName(route)}` };
  return {
    200: {
      description: 'The response',
      headers: {
        ETag: ETAG,
        'Cache-Control': { schema: { type: 'string', const: headers['Cache-Control'] } },
      },
      content: { 'application/json': { schema, example: example?.response } },
    },
    304: NOT_MODIFIED,
  };
}

/** Describes the path for several tokens, which works only on hosts with a program. */
function describeBatch(ids: ExampleIds): Json {
  const { summary, maxTokens, badRequest } = tokenBatch;
  const contracts = batchExample(ids);
  return {
    operationId: schemaName(tokenBatch),
    summary,
    tags: [TAGS.all.name],
    parameters: [
      {
        name: 'contract',
        in: 'query',
        required: true,
        description: 'A principal, or a principal and a token number: `SP….name:7`',
        schema: { type: 'array', minItems: 1, maxItems: maxTokens, items: { type: 'string' } },
        example: contracts.length === 0 ? undefined : contracts,
      },
      queryParameter('locale', LOCALE_VARIANT.summary, { type: 'string' }, true),
    ],
    responses: {
      ...success(HEADER_RULES.response, tokenBatch, EXAMPLES[tokenBatch.id]),
      ...describeErrors([badRequest, GENERAL_ERRORS.notFound]),
    },
  };
}

function pathParameters({ inBuilds, parameters }: Route, ids: ExampleIds): Json[] {
  return parameters.map(({ name, pattern }) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: pattern.source },
    example: exampleId(ids, inBuilds, name),
  }));
}

function queryParameters({ variants = [], list }: Route): Json[] {
  return [
    ...(list === undefined ? [] : describeList(list)),
    ...variants.map(({ name, summary }) => queryParameter(name, summary, { type: 'string' }, true)),
  ];
}

function describeList({ pageSizes, search = [] }: ListPages): Json[] {
  const [standard] = pageSizes;
  const supported = `hosts without server code support ${pageSizes.join(' or ')}`;
  const limit = { type: 'integer', minimum: 1, maximum: pageSizes.at(-1), default: standard };
  const offset = { type: 'integer', minimum: 0, default: 0 };
  return [
    queryParameter('limit', `Maximum number of results; ${supported}`, limit),
    queryParameter(
      'offset',
      'Number of results to skip; hosts without server code support multiples of `limit`',
      offset,
    ),
    ...search.map((parameter) =>
      queryParameter(
        parameter.name,
        `${parameter.summary}; not supported by hosts without server code`,
        searchSchema(parameter),
      ),
    ),
  ];
}

function searchSchema({ values, pattern }: SearchParameter): Json {
  if (values?.includes('true')) return { type: 'boolean', default: values[0] === 'true' };
  return { type: 'string', enum: values, default: values?.[0], pattern: pattern?.source };
}

function queryParameter(name: string, description: string, schema: Json, allowEmptyValue?: true): Json {
  return { name, in: 'query', description, allowEmptyValue, schema };
}

function errorResponses(route: Route, example: Example | undefined): Json {
  const errors: RouteError[] = [
    ...(route.parameters.length === 0
      ? [route.badRequest].filter((error) => error !== undefined)
      : [route.notFound ?? GENERAL_ERRORS.notFound, route.badRequest ?? GENERAL_ERRORS.badRequest]),
    ...variantErrors(route),
    ...(example?.errors ?? []),
  ];
  return describeErrors(errors);
}

/** Describes error responses by status. The description of a status has its errors as examples. */
function describeErrors(errors: readonly RouteError[]): Readonly<Record<string, Json>> {
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
