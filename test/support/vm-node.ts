// Runs a node's contract calls in the Clarity VM.
import { getSDK } from '@stacks/clarinet-sdk';
import { Cl } from '@stacks/transactions';
import type { CallResult } from './chain-listener.ts';

let simnet: Awaited<ReturnType<typeof getSDK>> | undefined;
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
  // Suppresses the errors that the VM prints for calls that it rejects.
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
