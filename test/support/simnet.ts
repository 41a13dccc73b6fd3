// Opens simnets: the Clarity VM with a local chain. Runs a node's contract calls in a simnet.
import { getSDK } from '@stacks/clarinet-sdk';
import { Cl } from '@stacks/transactions';
import type { CallResult } from './chain-listener.ts';
import type { Json } from './transactions.ts';

export type Simnet = Awaited<ReturnType<typeof getSDK>>;
export type SdkEvent = ReturnType<Simnet['callPublicFn']>['events'][number];

/** The time of the first block. It is fixed, since getters may return times. */
const START_MS = Date.UTC(2024, 5, 1);

/** Opens an empty simnet in an epoch. Resets and returns `reused` if it is present, to reuse its memory. */
export async function openSimnet(epoch: string, reused?: Simnet): Promise<Simnet> {
  // The simnet takes the time of its first block from the system clock.
  const SystemDate = Date;
  globalThis.Date = class extends SystemDate {
    constructor() {
      super(START_MS);
    }
  } as DateConstructor;
  try {
    const simnet = reused ?? (await getSDK());
    await simnet.initEmptySession({ enabled: false });
    simnet.setEpoch(epoch as '3.3');
    return simnet;
  } finally {
    globalThis.Date = SystemDate;
  }
}

/** Converts an event of the simnet to the form that an event observer receives. */
export function toEvent(txid: unknown, { event, data }: SdkEvent): Json {
  const base = { txid, committed: true, event_index: 0 };
  if (event !== 'print_event') return { ...base, type: event, [event]: data };
  const { contract_identifier, topic, raw_value } = data as Json;
  return { ...base, type: 'contract_event', contract_event: { contract_identifier, topic, raw_value } };
}

let node: Simnet | undefined;
/** The contract name of each deployed source. Each source gets a new name, since a new session would take a second. */
const deployed = new Map<string, string>();

/**
 * Runs a node's call in the VM, and returns the result. Deploys the source first, if necessary. `args` are serialized
 * arguments in hex.
 */
export async function callInVm(
  contractId: string,
  sourceCode: string,
  functionName: string,
  args: readonly string[] = [],
): Promise<CallResult> {
  node ??= await openSimnet('2.5');
  const key = `${contractId} ${sourceCode}`;
  const [address, name] = contractId.split('.') as [string, string];
  const deployedAs = deployed.get(key) ?? `${name}-${deployed.size}`;
  if (!deployed.has(key)) node.deployContract(deployedAs, sourceCode, { clarityVersion: 2 }, address);
  deployed.set(key, deployedAs);
  // Suppresses the errors that the VM prints for calls that it rejects.
  const out = console;
  const print = out.error;
  out.error = () => {};
  const values = args.map((hex) => Cl.deserialize(hex));
  try {
    const { result } = node.callReadOnlyFn(`${address}.${deployedAs}`, functionName, values, address);
    return { result: `0x${Cl.serialize(result)}` };
  } catch (cause) {
    return { cause: String(cause) };
  } finally {
    out.error = print;
  }
}
