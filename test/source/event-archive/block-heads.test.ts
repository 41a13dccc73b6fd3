import { expect, test } from 'vitest';
import { packEvents, unpackEvents } from '#source/event-archive/block-heads.ts';
import { at, microblocks } from '../../support/chain-index.ts';
import { callJson, deployJson } from '../../support/transactions.ts';

test('packs blocks without content, and unpacks all events in their order', () => {
  const deploy = deployJson('c', '(print 1)');
  const timed = at(4, [], { burnTime: 1_700_000_000, burnHeight: 0xffff_ffff });
  const events = [at(1, []), microblocks(1, []), at(2, [deploy]), at(3, []), timed, at(5, [callJson()])];
  const packed = packEvents(events);
  expect([...packed.isPacked]).toEqual([1, 0, 0, 1, 1, 0]);
  expect(unpackEvents(packed)).toEqual(events);
});
