// Describes the API in OpenAPI 3.1, from the routes and their schemas, with the examples of the sample chain.
import { z } from 'zod';
import { HEADER_RULES } from '#model/answer-headers.ts';
import { GENERAL_ERRORS, ROUTES } from '#routes/all.ts';
import type { ListPages, Route, RouteError } from '#routes/route.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { EXAMPLES, type Example, type ExampleIds } from './examples.ts';

type Json = { readonly [key: string]: unknown };

const TAGS: Readonly<Record<Route['about'], string>> = {
  tokens: 'Tokens',
  ft: 'Fungible tokens',
  nft: 'Non-fungible tokens',
  sft: 'Semi-fungible tokens',
  contracts: 'Contracts',
};

const JSON_TYPE = 'application/json';

export interface ApiFacts {
  /** Those that the build has; all of them if they are not named. */
  readonly routes?: readonly Route[];
  readonly publicUrl: string;
  /** Of path parameters. */
  readonly ids: ExampleIds;
}

export function renderOpenApi({ routes = ROUTES, publicUrl, ids }: ApiFacts): string {
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'stxpress',
      version: packageJson.version,
      description: DESCRIPTION,
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    // The first is tried out: a page may ask the site that it is on, below a path too, and no other.
    servers: [{ url: '.' }, ...(publicUrl === '' ? [] : [{ url: publicUrl }])],
    paths: Object.fromEntries(routes.map((route) => [`/${openPath(route)}`, { get: operation(route, ids) }])),
    components: {
      schemas: {
        ...Object.fromEntries(routes.map((route) => [schemaName(route), toSchema(route)])),
        Error: ERROR_SCHEMA,
      },
    },
  };
  return JSON.stringify(document);
}

const DESCRIPTION = [
  'Token and contract metadata of the Stacks blockchain as static files.',
  'Answers that are shown as examples are of the bundled sample chain.',
  'Errors are JSON, and are never cached; methods other than GET, HEAD and OPTIONS answer 405.',
  'On a host that knows no queries, the answer of `<path>?<parameter>=<value>` is at',
  '`variants/<parameter>/<value>/<path>`, where it is another one than that of the path;',
  'a list is at `<path>/index.json`, its pages at `<path>/pages/<limit>/<offset>.json`.',
].join(' ');

const ERROR_SCHEMA = {
  type: 'object',
  properties: {
    error: { type: 'string' },
    message: { type: 'string', description: 'Why, in one sentence, where the error alone does not say it' },
  },
  required: ['error'],
  additionalProperties: false,
};

/** The status is answered below the other paths of its version, where the public API has it. */
function openPath({ path, list, parameters }: Route): string {
  return parameters.length === 0 && list === undefined ? `${path}/` : path;
}

function schemaName({ id }: Pick<Route, 'id'>): string {
  return id.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());
}

function toSchema(route: Route): Json {
  const { $schema, ...schema } = z.toJSONSchema(route.schema(z), { target: 'draft-2020-12' });
  return schema;
}

function operation(route: Route, ids: ExampleIds): Json {
  const example = EXAMPLES[route.id];
  return {
    operationId: schemaName(route),
    summary: route.summary,
    tags: [TAGS[route.about]],
    parameters: [...pathParameters(route, ids), ...queryParameters(route)],
    responses: {
      200: {
        description: 'The answer',
        headers: {
          ETag: { description: 'Sent back as If-None-Match, it saves the body', schema: { type: 'string' } },
          'Cache-Control': { schema: { type: 'string', const: HEADER_RULES.answer['Cache-Control'] } },
        },
        content: {
          [JSON_TYPE]: {
            schema: { $ref: `#/components/schemas/${schemaName(route)}` },
            ...(example === undefined ? {} : { example: example.answer }),
          },
        },
      },
      304: { description: 'The client has the answer already' },
      ...errorResponses(route, example),
    },
  };
}

function pathParameters({ about, parameters }: Route, ids: ExampleIds): Json[] {
  const kind = about === 'nft' || about === 'sft' ? `${about}_` : '';
  return parameters.map(({ name, pattern }) => {
    const example = ids[kind + name];
    return {
      name,
      in: 'path',
      required: true,
      schema: { type: 'string', pattern: pattern.source },
      ...(example === undefined ? {} : { example }),
    };
  });
}

function queryParameters({ variants, list }: Route): Json[] {
  return [
    ...(list === undefined ? [] : describeList(list)),
    ...variants.map(({ name, summary }) => queryParameter(name, summary, { type: 'string' }, true)),
  ];
}

function describeList({ pageSizes, search = [] }: ListPages): Json[] {
  const [standard] = pageSizes;
  const whole = `a host without a program takes ${pageSizes.join(' or ')}`;
  const limit = { type: 'integer', minimum: 1, maximum: pageSizes.at(-1), default: standard };
  return [
    queryParameter('limit', `Results a page; ${whole}`, limit),
    queryParameter('offset', 'How many to skip; a host without a program takes a multiple of the limit', {
      type: 'integer',
      minimum: 0,
      default: 0,
    }),
    ...search.map(({ name, summary, values }) =>
      queryParameter(name, `${summary}; refused by a host without a program`, {
        type: 'string',
        ...(values === undefined ? {} : { enum: values, default: values[0] }),
      }),
    ),
  ];
}

function queryParameter(name: string, description: string, schema: Json, allowEmptyValue?: true): Json {
  return { name, in: 'query', description, ...(allowEmptyValue === undefined ? {} : { allowEmptyValue }), schema };
}

/** By status, with an example for each thing that has it. */
function errorResponses(route: Route, example: Example | undefined): Json {
  const errors: RouteError[] = [
    ...(route.parameters.length === 0 ? [] : [route.notFound ?? GENERAL_ERRORS.notFound]),
    ...(route.badRequest === undefined ? [] : [route.badRequest]),
    ...route.variants.flatMap(({ otherwise }) => (otherwise === 'answer' ? [] : [otherwise])),
    ...(example?.errors ?? []),
  ];
  return Object.fromEntries(
    [...Map.groupBy(errors, ({ status }) => status)].map(([status, ofStatus]) => [
      status,
      {
        description: [...new Set(ofStatus.map(({ body }) => body.error))].join('; '),
        content: {
          [JSON_TYPE]: {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(ofStatus.map(({ body }) => [exampleName(body.error), { value: body }])),
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
