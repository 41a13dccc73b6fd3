// The calls of a node, answered by the Clarity VM.
import { getSDK } from '@stacks/clarinet-sdk';
import { Cl } from '@stacks/transactions';
import type { CallResult } from './chain-listener.ts';

let simnet: Awaited<ReturnType<typeof getSDK>> | undefined;
/** Under which ids sources are deployed: for another source of a contract, a fresh session would take a second. */
const deployed = new Map<string, string>();

/** What a node answers that has the source deployed: the VM runs it. `args`: hex. */
export async function callInVm(
  contractId: string,
  sourceCode: string,
  functionName: string,
  args: readonly string[] = [],
): Promise<CallResult> {
  if (simnet === undefined) {
    simnet = await getSDK();
    await simnet.initEmptySession({ enabled: false });
    simnet.setEpoch('2.5');
  }
  const key = `${contractId} ${sourceCode}`;
  const [address, name] = contractId.split('.') as [string, string];
  const deployedAs = deployed.get(key) ?? `${name}-${deployed.size}`;
  if (!deployed.has(key)) simnet.deployContract(deployedAs, sourceCode, { clarityVersion: 2 }, address);
  deployed.set(key, deployedAs);
  // The VM prints what it refuses.
  const out = console;
  const print = out.error;
  out.error = () => {};
  const values = args.map((hex) => Cl.deserialize(hex));
  try {
    const { result } = simnet.callReadOnlyFn(`${address}.${deployedAs}`, functionName, values, address);
    return { result: `0x${Cl.serialize(result)}` };
  } catch (cause) {
    return { cause: String(cause) };
  } finally {
    out.error = print;
  }
}
