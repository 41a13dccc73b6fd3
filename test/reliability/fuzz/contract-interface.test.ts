// Tests the parsing of contract interfaces, JSON that comes from an observer, a node or an API.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { clarityVersionOf, parseInterface } from '#model/contract-interface.ts';
import { isFailure } from '#model/failure.ts';
import { classifyContract } from '#standards/classify-contract.ts';
import { isDeeperThan } from '#text/parse-json.ts';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { jsonEdit } from './edits.ts';
import { fuzz } from './fuzz.ts';
import { sizeOf } from './size-of.ts';

/** The maximum length of a message, excluding quoted input. */
const MAX_SENTENCE_LENGTH = 200;
/**
 * The maximum depth of a parsed interface: three levels for each of 64 nested types, and the levels of an innermost
 * type of unknown kind.
 */
const MAX_DEPTH = 300;

const name = fc.constantFrom('transfer', 'get-name', 'get-symbol', 'get-decimals', 'get-token-uri', 'get-owner', 'a');
const simpleType = fc.constantFrom('none', 'int128', 'uint128', 'bool', 'principal', 'trait_reference', 'not-listed');
const length = fc.nat(2 ** 20);
/** Types in every possible JSON form. */
const { type } = fc.letrec<{ type: unknown }>((tie) => {
  const inner = tie('type');
  return {
    type: fc.oneof(
      { maxDepth: 4 },
      simpleType,
      fc
        .constantFrom('buffer', 'string-ascii', 'string-utf8')
        .chain((kind) => fc.record({ [kind]: fc.record({ length }) })),
      fc.record({ list: fc.record({ type: inner, length }) }),
      fc.record({ optional: inner }),
      fc.record({ response: fc.record({ ok: inner, error: inner }) }),
      fc.record({ tuple: fc.array(fc.record({ name, type: inner }), { maxLength: 3 }) }),
      fc.record({ 'not-listed': fc.tuple(inner) }),
    ),
  };
});
const named = { name, type };
const listOf = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 4 });
const contractInterface = fc.record(
  {
    functions: listOf(
      fc.record({
        name,
        access: fc.constantFrom('private', 'public', 'read_only'),
        args: listOf(fc.record(named)),
        outputs: fc.record({ type }),
      }),
    ),
    variables: listOf(fc.record({ ...named, access: fc.constantFrom('constant', 'variable') })),
    maps: listOf(fc.record({ name, key: fc.oneof(type, listOf(fc.record(named))), value: type })),
    fungible_tokens: listOf(fc.record({ name })),
    non_fungible_tokens: listOf(fc.record(named)),
    epoch: fc.constantFrom('Epoch20', 'Epoch33', 'Epoch99'),
    clarity_version: fc.constantFrom('Clarity1', 'Clarity4', 'Clarity99'),
  },
  { requiredKeys: ['functions', 'variables', 'maps', 'fungible_tokens', 'non_fungible_tokens'] },
);

/** Nests a type deeper than the language allows. */
const deepType = fc.nat(300).map((depth) => (input: Buffer) => {
  const nested = `${'{"optional":'.repeat(depth)}"uint128"${'}'.repeat(depth)}`;
  return Buffer.from(input.toString().replace('"uint128"', nested));
});

fuzz({
  name: 'contract-interface',
  inputs: 2_000,
  valid: fc
    .oneof({ weight: 1, arbitrary: fc.constant(TOKEN_INTERFACE) }, { weight: 9, arbitrary: contractInterface })
    .map((json) => Buffer.from(JSON.stringify(json))),
  edit: fc.oneof({ weight: 9, arbitrary: jsonEdit }, { weight: 1, arbitrary: deepType }),
  tokens: ['{"optional":', '"uint128"', '{"buffer":{"length":34}}', '"tuple":', '"functions":[],', '__proto__'],
  read: (input) => {
    let json: unknown;
    try {
      json = JSON.parse(input.toString());
    } catch {
      return false;
    }
    const parsed = parseInterface(json);
    if (isFailure(parsed)) {
      assert.equal(parsed.code, 'interface-invalid');
      assert.ok(parsed.message.length <= input.length + MAX_SENTENCE_LENGTH);
      return false;
    }
    classifyContract(parsed.interface);
    assert.ok(!isDeeperThan(parsed.interface, MAX_DEPTH));
    assert.ok((clarityVersionOf(parsed.interface) ?? 0) <= 99);
    assert.ok(JSON.stringify(parsed.interface).length <= 6 * input.length + MAX_SENTENCE_LENGTH);
    assert.ok(sizeOf(parsed.unlistedTypes) <= input.length);
    return true;
  },
});
