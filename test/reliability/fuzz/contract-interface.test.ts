// Tests the parsing of contract interfaces, JSON that comes from an observer, a node or an API.
import assert from 'node:assert/strict';
import { clarityVersionOf, parseInterface } from '#model/contract-interface.ts';
import { isFailure } from '#model/failure.ts';
import { classifyContract } from '#standards/classify-contract.ts';
import { isDeeperThan } from '#text/json-depth.ts';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import type { Random } from '../../support/random.ts';
import { fuzz } from './fuzz.ts';
import { mutateJson } from './mutate-json.ts';
import { randomInterface } from './random-interface.ts';
import { sizeOf } from './size-of.ts';

/** The maximum length of a message, excluding quoted input. */
const MAX_SENTENCE_LENGTH = 200;
/**
 * The maximum depth of a parsed interface: three levels for each of 64 nested types, and the levels of an innermost
 * type of unknown kind.
 */
const MAX_DEPTH = 300;

fuzz({
  name: 'contract-interface',
  inputs: 6_000,
  valid: (random) => [
    Buffer.from(JSON.stringify(TOKEN_INTERFACE)),
    ...Array.from({ length: 40 }, () => Buffer.from(JSON.stringify(randomInterface(random)))),
  ],
  mutate: (random: Random, input) => Buffer.from(mutateJson(random, input.toString())),
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
