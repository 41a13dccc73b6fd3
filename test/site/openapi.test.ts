// Tests the API description: it has every route, every response fits its schema, and wrong responses do not fit.
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { fillPath, fixedPart } from '#layout/response-files.ts';
import { ROUTES } from '#routes/all.ts';
import { listParameters, type Route } from '#routes/route.ts';
import { tokenBatch } from '#routes/token-batch.ts';
import { EXAMPLES, type Example } from '#site/examples.ts';
import { isResponse, isResponseOf, sampleTree } from '../support/sample.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}

interface ObjectSchema {
  readonly required?: readonly string[];
  readonly anyOf?: readonly ObjectSchema[];
  /** Set for a response whose keys are contract ids: the schema of its values. */
  readonly additionalProperties?: ObjectSchema;
}

interface Content {
  readonly 'application/json': {
    readonly schema: { readonly $ref: string };
    readonly example?: unknown;
    readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Document {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const tree = await sampleTree();
const parse = (path: string): unknown => JSON.parse(tree.get(path) ?? 'null');
const document = parse('openapi.json') as Document;

/**
 * Returns the errors that a schema of the document finds in a value; empty without errors. References to other schemas
 * are resolved.
 */
const faults = (ref: string, value: unknown): string => {
  if (validators.size === 0) ajv.addSchema(document, 'document');
  const validate = validators.get(ref) ?? ajv.compile({ $ref: `document${ref}` });
  validators.set(ref, validate);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
};
const ajv = new Ajv2020({ strict: false, allErrors: true });
const validators = new Map<string, ValidateFunction>();

const operationOf = (route: Route) => {
  const item = document.paths[`/${route.path}`];
  if (item === undefined) throw new Error(`${route.path} is not described`);
  return item.get;
};

const schemaOf = (route: Route): string =>
  operationOf(route).responses[200]?.content?.['application/json'].schema.$ref ?? '';

/** Returns the route that a file belongs to. The file may be a variant. */
const routeOf = (file: string): Route | undefined => {
  const path = file.replace(/^variants\/[^/]+\/[^/]+\//, '');
  return ROUTES.find((route) => isResponseOf(route, path));
};

test('default', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)).toEqual({
    valid: true,
  });
  expect(validator.version).toBe('3.1');
  // The validator rejects a wrong document, so it does more than parse the document.
  const { paths: _, ...rest } = document;
  const broken = { ...rest, paths: { 'no-slash': {} } };
  expect((await new Validator().validate(structuredClone(broken))).valid).toBe(false);
});

test('describes every route, path parameter and variant, and nothing else', () => {
  expect(Object.keys(document.paths)).toEqual([...ROUTES, tokenBatch].map(({ path }) => `/${path}`));
  const ids = ROUTES.map((route) => operationOf(route).operationId);
  expect(new Set(ids).size).toBe(ROUTES.length);
  for (const route of ROUTES) {
    const { parameters } = operationOf(route);
    const names = (where: string) => parameters.filter(({ in: place }) => place === where).map(({ name }) => name);
    expect(names('path')).toEqual(route.parameters.map(({ name }) => name));
    expect(parameters.filter(({ in: place }) => place === 'path').every(({ required }) => required === true)).toBe(
      true,
    );
    expect(names('query')).toEqual([
      ...(route.list === undefined ? [] : listParameters(route.list)),
      ...(route.variants ?? []).map(({ name }) => name),
    ]);
  }
});

test('has an example request, its response, and the error for a malformed path', () => {
  for (const route of ROUTES.filter(({ parameters }) => parameters.length > 0)) {
    const { parameters, responses } = operationOf(route);
    const examples = parameters.filter(({ in: place }) => place === 'path').map(({ name, example }) => [name, example]);
    const { parameters: responsePart } = EXAMPLES[route.id] as Example;
    expect([route.id, Object.fromEntries(examples)]).toEqual([route.id, responsePart]);
    const path = fillPath(route, responsePart);
    const response = parse(route.list === undefined ? path : `${path}/index.json`);
    expect(responses[200]?.content?.['application/json'].example).toEqual(response);
    expect([route.id, Object.keys(responses)]).toEqual([route.id, expect.arrayContaining(['400', '404'])]);
  }
});

test('gives each path a declared tag, and declares no other tags', () => {
  const used = Object.values(document.paths).map(({ get }) => get.tags.join());
  expect([...new Set(used)].sort()).toEqual(document.tags.map(({ name }) => name).sort());
  expect(document).toMatchObject({ security: [] });
});

test('describes a tuple as a list too, for tools without prefixItems', () => {
  const { days } = (document.components.schemas.Days as { properties: Record<string, { items: object }> }).properties;
  expect(days?.items).toMatchObject({ type: 'array', prefixItems: [{}, {}], items: {}, minItems: 2, maxItems: 2 });
});

test('describes limit and offset of lists, with their bounds', () => {
  const lists = ROUTES.filter((route) => route.list !== undefined);
  expect(lists.length).toBeGreaterThan(0);
  for (const route of lists) {
    const { parameters } = operationOf(route);
    expect(parameters.find(({ name }) => name === 'limit')?.schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: route.list?.pageSizes.at(-1),
      default: route.list?.pageSizes[0],
    });
    expect(parameters.find(({ name }) => name === 'offset')?.schema).toEqual({
      type: 'integer',
      minimum: 0,
      default: 0,
    });
  }
});

test('has examples that fit their schemas', () => {
  let examples = 0;
  const check = (where: string, ref: string, value: unknown) => {
    expect(`${where}: ${faults(ref, value)}`).toBe(`${where}: `);
    examples++;
  };
  for (const [path, { get }] of Object.entries(document.paths)) {
    for (const [index, { name, example }] of get.parameters.entries()) {
      if (example === undefined) continue;
      const pointer = path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
      const ref = `#/paths/${pointer}/get/parameters/${index}/schema`;
      check(`${path} ${name}`, ref, example);
    }
    for (const [status, { content }] of Object.entries(get.responses)) {
      const media = content?.['application/json'];
      if (media === undefined) continue;
      const values = [
        ...(media.example === undefined ? [] : [media.example]),
        ...Object.values(media.examples ?? {}).map(({ value }) => value),
      ];
      expect(`${path} ${status}: ${values.length > 0}`).toBe(`${path} ${status}: true`);
      for (const value of values) check(`${path} ${status}`, media.schema.$ref, value);
    }
  }
  expect(examples).toBeGreaterThan(ROUTES.length * 2);
});

test('fits every response of a build, and has the status of every error', () => {
  const seen = new Set<string>();
  const wrong: string[] = [];
  // The API description omits files that only programs read: manifests and names files of lists.
  const isInternal = (path: string) => /\/(?:names|pages\/index)\.json$/.test(path);
  for (const path of [...tree.keys()].filter((file) => isResponse(file) && !isInternal(file))) {
    const [, status, of = ''] = /^errors\/(\d+)(?:\/(.*))?/.exec(path) ?? [];
    const route = status === undefined ? routeOf(path) : ROUTES.find((candidate) => describesError(candidate, of));
    if (status === undefined && route === undefined) wrong.push(`${path} is not a response of a route`);
    if (status !== undefined && route !== undefined && !(status in operationOf(route).responses))
      wrong.push(`${path} has a status that is not described`);
    const ref = status !== undefined ? '#/components/schemas/Error' : route === undefined ? undefined : schemaOf(route);
    if (ref === undefined) continue;
    const text = faults(ref, parse(path));
    if (text !== '') wrong.push(`${path}: ${text}`);
    seen.add(ref);
  }
  expect(wrong).toEqual([]);
  // Each schema was used for at least one response.
  expect([...seen].sort()).toEqual([...ROUTES.map(schemaOf), '#/components/schemas/Error'].sort());
});

test('has no recursive schemas, which some generators do not support', () => {
  const { schemas } = document.components;
  expect(Object.keys(schemas).sort()).toEqual(
    [...ROUTES.map((route) => operationOf(route).operationId), 'TokenBatch', 'Error'].sort(),
  );
  for (const [name, schema] of Object.entries(schemas))
    expect([name, JSON.stringify(schema)]).toEqual([name, expect.not.stringContaining('"$ref"')]);
});

test('rejects a wrong response', () => {
  for (const route of ROUTES) {
    const ref = schemaOf(route);
    const [, body = ''] =
      [...tree].find(([path]) => isResponse(path) && !path.startsWith('errors/') && routeOf(path) === route) ?? [];
    const response = JSON.parse(body) as Record<string, unknown>;
    expect(faults(ref, response)).toBe('');
    if (Array.isArray(response)) {
      for (const wrong of [[...response, 1], [...response, []], {}]) expect(faults(ref, wrong)).not.toBe('');
      continue;
    }
    expect(faults(ref, [response])).not.toBe('');
    const { additionalProperties: byId, ...objectSchema } = document.components.schemas[
      ref.split('/').at(-1) ?? ''
    ] as ObjectSchema;
    const [[id = '', firstValue] = []] = Object.entries(response);
    // No document of the sample is fetched, so none is tried again.
    if (byId && firstValue === undefined) {
      expect(faults(ref, { unknown: {} })).toContain('property name');
      continue;
    }
    const [schema, members, wrap] = byId
      ? [byId, firstValue as Record<string, unknown>, (value: object) => ({ [id]: value })]
      : [objectSchema, response, (value: object) => value];
    expect(faults(ref, wrap({ ...members, unknown: 1 }))).toContain('additional properties');
    if (byId) expect(faults(ref, { unknown: members })).toContain('property name');
    const forms = schema.anyOf ?? [schema];
    const { required = [] } = forms.find((form) => form.required?.every((key) => key in members) === true) ?? {};
    // The response for a token of a collection may have no members, so none is required.
    if (route.inBuilds !== 'nft' && route.inBuilds !== 'sft') expect(required.length).toBeGreaterThan(0);
    for (const key of required) {
      const { [key]: _, ...rest } = members;
      expect(faults(ref, wrap(rest))).toContain(`'${key}'`);
      expect(faults(ref, wrap({ ...members, [key]: { not: 'this' } }))).not.toBe('');
    }
  }
  const ref = '#/components/schemas/Error';
  expect(faults(ref, { error: 'Not Found' })).toBe('');
  for (const wrong of [{}, { error: 1 }, { error: 'Not Found', status: 404 }, 'Not Found'])
    expect(faults(ref, wrong)).not.toBe('');
  // In the metadata, `properties` may contain any JSON.
  const metadata = { sip: 16, properties: { deep: [{ a: null, b: [1, 'x', true] }] } };
  const token = { tx_id: `0x${'0'.repeat(64)}`, sender_address: 'SP1', asset_identifier: 'SP1.t::t', metadata };
  expect(faults('#/components/schemas/TokenMetadata', token)).toBe('');
  expect(faults('#/components/schemas/TokenMetadata', { ...token, metadata: { ...metadata, image: 1 } })).not.toBe('');
});

/** Returns true if a file in the folder of an error status has the error of a route, or of one of its paths. */
function describesError(route: Route, file: string): boolean {
  const of = file.replace(/\.json$/, '');
  return of === fixedPart(route)
    ? route.parameters.length > 0
    : routeOf(file) === route || routeOf(`${of}.json`) === route;
}
