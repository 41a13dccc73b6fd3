// Runs the calls of a node in the Clarity VM.
import { getSDK } from '@stacks/clarinet-sdk';
import { Cl } from '@stacks/transactions';
import type { CallResult } from './chain-listener.ts';

let simnet: Awaited<ReturnType<typeof getSDK>> | undefined;
/** The ids of deployed sources. A new session for another source of a contract would take a second. */
const deployed = new Map<string, string>();

/** Returns the result of a node's call: runs it in the VM, with the source deployed. `args` are hex. */
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
  // The VM prints the calls that it rejects.
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
