// Opens an empty simnet, the Clarity VM with a chain of its own, whose clock is the same on every day. There is one at
// a time: the next one takes the memory of the last.
import { getSDK } from '@stacks/clarinet-sdk';
import { vi } from 'vitest';

export type Simnet = Awaited<ReturnType<typeof getSDK>>;
export type SdkEvent = ReturnType<Simnet['callPublicFn']>['events'][number];

const EPOCH = '3.3';
/** Its times would show in what getters return. */
const START_MS = Date.UTC(2024, 5, 1);

let last: Simnet | undefined;

export async function openSimnet(epoch = EPOCH): Promise<Simnet> {
  // It takes its first time from the clock.
  vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
  try {
    last ??= await getSDK();
    await last.initEmptySession({ enabled: false });
  } finally {
    vi.useRealTimers();
  }
  last.setEpoch(epoch as '3.3');
  return last;
}
