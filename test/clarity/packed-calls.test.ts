import {
  addressFromVersionHash,
  addressToString,
  Cl,
  createContractCallPayload,
  serializePayloadBytes,
} from '@stacks/transactions';
import { expect, test } from 'vitest';
import { encodePrincipal } from '#clarity/address.ts';
import { outcomeOf } from '#clarity/event-digest.ts';
import { packCall, readCalls, setOutcome } from '#clarity/packed-calls.ts';

const ADDRESS = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE';
const HASH160 = 'ab'.repeat(20);

const calls = (...packed: Buffer[]) => Buffer.concat(packed);

function packed(txIndex: number, name: string, functionName: string, args: number) {
  const payload = createContractCallPayload(ADDRESS, name, functionName, [Cl.uint(args)]);
  const call = packCall({
    txIndex,
    txId: Buffer.alloc(32, txIndex % 256),
    origin: { version: 22, hash160: HASH160 },
    payload: Buffer.from(serializePayloadBytes(payload).subarray(1)),
  });
  setOutcome(call, outcomeOf(Buffer.alloc(txIndex % 7, 3), txIndex === 1 ? Buffer.alloc(8, 5) : undefined));
  return call;
}

test('reads concatenated calls as they were packed', () => {
  const indexes = [0, 1, 300, 2 ** 40, Number.MAX_SAFE_INTEGER];
  const all = calls(...indexes.map((index, at) => packed(index, `c${at}`, 'f'.repeat(1 + at), at)));
  const read = [...readCalls(all)].map((call) => ({
    txId: call.txId,
    txIndex: call.txIndex,
    sender: encodePrincipal(call.origin),
    contractId: call.contractId,
    functionName: call.functionName,
    args: call.args,
    outcome: call.outcome,
  }));
  expect(read).toStrictEqual(
    indexes.map((txIndex, at) => ({
      txId: Buffer.alloc(32, txIndex % 256),
      txIndex,
      sender: addressToString(addressFromVersionHash(22, HASH160)),
      contractId: `${ADDRESS}.c${at}`,
      functionName: 'f'.repeat(1 + at),
      args: Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.from(Cl.serialize(Cl.uint(at)), 'hex')]),
      outcome: outcomeOf(Buffer.alloc(txIndex % 7, 3), txIndex === 1 ? Buffer.alloc(8, 5) : undefined),
    })),
  );
});

test('gives calls the same callee only if their function is the same', () => {
  const names = ['ab c', 'ab c', 'a bc', 'abc d'].map((text) => text.split(' ') as [string, string]);
  const read = names.map(([name, functionName], index) => [
    ...readCalls(calls(packed(index, name, functionName, index))),
  ]);
  const [first, again, ...different] = read.map(([call]) => call?.callee);
  expect(again).toBe(first);
  expect(new Set([first, ...different]).size).toBe(3);
});

test('reads no calls from empty bytes', () => {
  expect([...readCalls(calls())]).toEqual([]);
});
