// Opens an empty simnet: the Clarity VM with a local chain, whose clock starts at a fixed time. Each call resets the
// previous simnet to reuse its memory, so only one can be open.
import { getSDK } from '@stacks/clarinet-sdk';
import { vi } from 'vitest';

export type Simnet = Awaited<ReturnType<typeof getSDK>>;
export type SdkEvent = ReturnType<Simnet['callPublicFn']>['events'][number];

const EPOCH = '3.3';
/** The time of the first block. It is fixed, since getters may return times. */
const START_MS = Date.UTC(2024, 5, 1);

let simnet: Simnet | undefined;

export async function openSimnet(epoch = EPOCH): Promise<Simnet> {
  // The simnet takes the time of its first block from the system clock.
  vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
  try {
    simnet ??= await getSDK();
    await simnet.initEmptySession({ enabled: false });
  } finally {
    vi.useRealTimers();
  }
  simnet.setEpoch(epoch as '3.3');
  return simnet;
}
