// The description of the API: every route is in it, every answer fits it, and what does not is refused.
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
  /** Set if an answer is by contract id: the schema of its values. */
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
 * What is wrong with a value, by a schema of the document; the whole document is known, so that references resolve in
 * it as they stand.
 */
const faults = (ref: string, value: unknown): string => {
  if (validators.size === 0) ajv.addSchema(document, 'document');
  const validate = validators.get(ref) ?? ajv.compile({ $ref: `document${ref}` });
  validators.set(ref, validate);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
};
const ajv = new Ajv2020({ strict: false, allErrors: true });
const validators = new Map<string, ValidateFunction>();

/** Files that no route renders. */
const FILES = [
  '/changes.atom',
  '/metadata/v1/tokenlist.schema.json',
  '/openapi.json',
  '/images/{file}',
  '/dump/{file}',
];
const operationOf = (route: Route) => {
  const item = document.paths[`/${route.path}`];
  if (item === undefined) throw new Error(`${route.path} is not described`);
  return item.get;
};

const schemaOf = (route: Route): string =>
  operationOf(route).responses[200]?.content?.['application/json'].schema.$ref ?? '';

/** The route that answers with a file, variants included. */
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
  // It is checked, not only read.
  const { paths: _, ...rest } = document;
  const broken = { ...rest, paths: { 'no-slash': {} } };
  expect((await new Validator().validate(structuredClone(broken))).valid).toBe(false);
});

test('behavior: every route, path parameter and variant is described, and nothing else', () => {
  expect(Object.keys(document.paths)).toEqual([...ROUTES, tokenBatch].map(({ path }) => `/${path}`).concat(FILES));
  const ids = ROUTES.map((route) => operationOf(route).operationId);
  expect(new Set(ids).size).toBe(ROUTES.length);
  for (const route of ROUTES) {
    const { parameters } = operationOf(route);
    const names = (where: string) => parameters.filter((one) => one.in === where).map(({ name }) => name);
    expect(names('path')).toEqual(route.parameters.map(({ name }) => name));
    expect(parameters.filter((one) => one.in === 'path').every(({ required }) => required === true)).toBe(true);
    expect(names('query')).toEqual([
      ...(route.list === undefined ? [] : listParameters(route.list)),
      ...(route.variants ?? []).map(({ name }) => name),
    ]);
  }
});

test('behavior: every path has an example, the answer to it, and what it answers to a malformed one', () => {
  for (const route of ROUTES.filter(({ parameters }) => parameters.length > 0)) {
    const { parameters, responses } = operationOf(route);
    const examples = parameters.filter((one) => one.in === 'path').map(({ name, example }) => [name, example]);
    const { parameters: responsePart } = EXAMPLES[route.id] as Example;
    expect([route.id, Object.fromEntries(examples)]).toEqual([route.id, responsePart]);
    const path = fillPath(route, responsePart);
    const answer = parse(route.list === undefined ? path : `${path}/index.json`);
    expect(responses[200]?.content?.['application/json'].example).toEqual(answer);
    expect([route.id, Object.keys(responses)]).toEqual([route.id, expect.arrayContaining(['400', '404'])]);
  }
});

test('behavior: each path has a declared tag, and no tag has more than a handful of paths', () => {
  const counts = new Map(document.tags.map(({ name }) => [name, 0]));
  for (const { get } of Object.values(document.paths)) {
    expect(get.tags).toHaveLength(1);
    const [tag = ''] = get.tags;
    expect([...counts.keys()]).toContain(tag);
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  for (const [tag, count] of counts) expect([tag, count > 0 && count <= 5]).toEqual([tag, true]);
  expect(document).toMatchObject({ security: [] });
});

test('behavior: a tuple is a list of its length, for tools without prefixItems', () => {
  const { days } = (document.components.schemas.Days as { properties: Record<string, { items: object }> }).properties;
  expect(days?.items).toMatchObject({ type: 'array', prefixItems: [{}, {}], items: {}, minItems: 2, maxItems: 2 });
});

test('behavior: a list has limit and offset, with their bounds', () => {
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

test('behavior: every example is an answer of its schema', () => {
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
      if (media === undefined || (status === '200' && FILES.includes(path))) continue;
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

test('behavior: every answer of a build fits its schema, and every error has a status that is described', () => {
  const seen = new Set<string>();
  const wrong: string[] = [];
  // What a list is cut and searched by is read by programs alone.
  const ofPrograms = (path: string) => /\/(?:names|pages\/index)\.json$/.test(path);
  for (const path of [...tree.keys()].filter((one) => isResponse(one) && !ofPrograms(one))) {
    const [, status, of = ''] = /^errors\/(\d+)(?:\/(.*))?/.exec(path) ?? [];
    const route = status === undefined ? routeOf(path) : ROUTES.find((one) => describesError(one, of));
    if (status === undefined && route === undefined) wrong.push(`${path} is an answer of no route`);
    if (status !== undefined && route !== undefined && !(status in operationOf(route).responses))
      wrong.push(`${path} has a status that is not described`);
    const ref = status !== undefined ? '#/components/schemas/Error' : route === undefined ? undefined : schemaOf(route);
    if (ref === undefined) continue;
    const text = faults(ref, parse(path));
    if (text !== '') wrong.push(`${path}: ${text}`);
    seen.add(ref);
  }
  expect(wrong).toEqual([]);
  // None of the schemas was left out.
  expect([...seen].sort()).toEqual([...ROUTES.map(schemaOf), '#/components/schemas/Error'].sort());
});

test('behavior: no schema refers to itself, for generators that cannot write such a type', () => {
  const { schemas } = document.components;
  expect(Object.keys(schemas).sort()).toEqual(
    [...ROUTES.map((route) => operationOf(route).operationId), 'TokenBatch', 'Error'].sort(),
  );
  for (const [name, schema] of Object.entries(schemas))
    expect([name, JSON.stringify(schema)]).toEqual([name, expect.not.stringContaining('"$ref"')]);
});

test('behavior: a wrong answer is refused', () => {
  for (const route of ROUTES) {
    const ref = schemaOf(route);
    const [, body = ''] =
      [...tree].find(([path]) => isResponse(path) && !path.startsWith('errors/') && routeOf(path) === route) ?? [];
    const answer = JSON.parse(body) as Record<string, unknown>;
    expect(faults(ref, answer)).toBe('');
    if (Array.isArray(answer)) {
      for (const wrong of [[...answer, 1], [...answer, []], {}]) expect(faults(ref, wrong)).not.toBe('');
      continue;
    }
    expect(faults(ref, [answer])).not.toBe('');
    const { additionalProperties: byId, ...own } = document.components.schemas[
      ref.split('/').at(-1) ?? ''
    ] as ObjectSchema;
    const [[id = '', ofId] = []] = Object.entries(answer);
    const [schema, members, wrap] = byId
      ? [byId, ofId as Record<string, unknown>, (value: object) => ({ [id]: value })]
      : [own, answer, (value: object) => value];
    expect(faults(ref, wrap({ ...members, unknown: 1 }))).toContain('additional properties');
    if (byId) expect(faults(ref, { unknown: members })).toContain('property name');
    const forms = schema.anyOf ?? [schema];
    const { required = [] } = forms.find((form) => form.required?.every((key) => key in members) === true) ?? {};
    // A token of a collection may have nothing to show.
    if (route.about !== 'nft' && route.about !== 'sft') expect(required.length).toBeGreaterThan(0);
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
  // Inside of a document's properties may be any JSON, and nothing else.
  const metadata = { sip: 16, properties: { deep: [{ a: null, b: [1, 'x', true] }] } };
  const token = { tx_id: `0x${'0'.repeat(64)}`, sender_address: 'SP1', asset_identifier: 'SP1.t::t', metadata };
  expect(faults('#/components/schemas/TokenMetadata', token)).toBe('');
  expect(faults('#/components/schemas/TokenMetadata', { ...token, metadata: { ...metadata, image: 1 } })).not.toBe('');
});

/** Whether an error's file, below its status, is about a route: about one of its paths, or about all of them. */
function describesError(route: Route, file: string): boolean {
  const of = file.replace(/\.json$/, '');
  return of === fixedPart(route)
    ? route.parameters.length > 0
    : routeOf(file) === route || routeOf(`${of}.json`) === route;
}
