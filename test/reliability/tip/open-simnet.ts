// Opens an empty simnet, the Clarity VM with a chain of its own, whose clock is the same on every day. There is one at
// a time: the next one takes the memory of the last.
import { getSDK } from '@stacks/clarinet-sdk';

export type Simnet = Awaited<ReturnType<typeof getSDK>>;
export type SdkEvent = ReturnType<Simnet['callPublicFn']>['events'][number];

const EPOCH = '3.3';
/** Its times would show in what getters return. */
const START_MS = Date.UTC(2024, 5, 1);

let last: Simnet | undefined;

export async function openSimnet(): Promise<Simnet> {
  const simnet = await atStartTime(async () => {
    last ??= await getSDK();
    await last.initEmptySession({ enabled: false });
    return last;
  });
  simnet.setEpoch(EPOCH);
  return simnet;
}

/** The simnet takes its first time from the clock. */
async function atStartTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const RealDate = globalThis.Date;
  const now = () => START_MS;
  globalThis.Date = class extends RealDate {
    constructor(...args: [] | [number]) {
      super(...((args.length === 0 ? [START_MS] : args) as [number]));
    }
    static override now = now;
  } as DateConstructor;
  try {
    return await work();
  } finally {
    globalThis.Date = RealDate;
  }
}
