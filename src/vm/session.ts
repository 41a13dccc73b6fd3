// A session of the embedded Clarity VM: an empty chain to deploy sources and call functions. @stacks/clarinet-sdk is
// the node's VM compiled to WebAssembly. It requires neither a project nor a network. Its dependency
// @stacks/transactions (MIT license) provides the types of values.
import type { getSDK } from '@stacks/clarinet-sdk';
import {
  BytesReader,
  deserializeCV,
  noneCV,
  principalCV,
  serializeCVBytes,
  someCV,
  uintCV,
} from '@stacks/transactions';
import { ByteReader } from '#clarity/byte-reader.ts';
import { type ClarityValue, readValue } from '#clarity/decode-value.ts';
import type { EpochName } from '#model/chain.ts';
import { splitContractId } from '#model/principal.ts';
import type { BlockFacts, DeployedSource, ReplayedCall } from './messages.ts';
import { WORLD_ADDRESS, WORLD_NAME, WORLD_SOURCE } from './prepare-source.ts';
import { copyMemory, type VmMemory } from './vm-memory.ts';

type Simnet = Awaited<ReturnType<typeof getSDK>>;
type Called = ReturnType<Simnet['callReadOnlyFn']>;
type SdkValue = Called['result'];
type ReadResult = { readonly value: ClarityValue } | { readonly refusal: string };
export type SdkEvents = Called['events'];

export interface World {
  readonly block: BlockFacts;
  readonly sponsorAddress?: string | undefined;
}

export class Session {
  readonly #simnet: Simnet;
  #fresh: VmMemory | undefined;
  #epoch: EpochName | undefined;

  private constructor(simnet: Simnet) {
    this.#simnet = simnet;
  }

  /** Loads the VM, which takes about a second. */
  static async load(): Promise<Session> {
    // This import must come after vm-memory.ts, which intercepts the WebAssembly instance that the package creates.
    const sdk = await import('@stacks/clarinet-sdk');
    return new Session(await sdk.getSDK());
  }

  /** Discards all state, so that a replay does not affect later replays. */
  async reset(): Promise<void> {
    this.#epoch = undefined;
    if (this.#fresh !== undefined) {
      this.#fresh.restore();
      return;
    }
    await this.#simnet.initEmptySession({ enabled: false });
    this.#simnet.setEpoch('2.0');
    this.#simnet.deployContract(WORLD_NAME, WORLD_SOURCE, { clarityVersion: 1 }, WORLD_ADDRESS);
    this.#fresh = copyMemory();
  }

  /** True if this thread can provide another session after this one. */
  get isReusable(): boolean {
    return this.#fresh?.isSound() ?? true;
  }

  /**
   * Returns the source of a contract that exists; otherwise undefined. The VM's package brings contracts along: the boot
   * contracts and sBTC.
   */
  sourceOf(contractId: string): string | undefined {
    return this.#simnet.getContractSource(contractId);
  }

  /** Returns the interface of a deployed contract in the format of the VM's package. */
  interfaceOf(contractId: string): unknown {
    return this.#simnet.getContractsInterfaces().get(contractId);
  }

  /**
   * Deploys a source. Returns the events of the deploy, or the reason why the VM rejects the source. A rejected deploy
   * does not change the state.
   */
  deploy(source: DeployedSource, sourceCode: string): { events: SdkEvents } | { refusal: string } {
    const { address, name } = splitContractId(source.contractId);
    return this.#run(() => {
      this.enterEpoch(source.epoch);
      const options = { clarityVersion: source.clarityVersion as 1 };
      return this.#simnet.deployContract(name, withDefinition(sourceCode), options, address);
    });
  }

  /** Calls a read-only function as the deployer, either without arguments or with a uint. */
  read(contractId: string, functionName: string, argument?: string): ReadResult {
    const { address } = splitContractId(contractId);
    const args = argument === undefined ? [] : [uintCV(argument)];
    const called = this.#run(() => this.#simnet.callReadOnlyFn(contractId, functionName, args, address));
    return 'refusal' in called ? called : { value: decoded(called.result) };
  }

  /** Calls a public function that fails with its result. The VM reverts all changes of a failed call. */
  readFailing(contractId: string, functionName: string, argument?: string): ReadResult {
    const { address } = splitContractId(contractId);
    const args = argument === undefined ? [] : [uintCV(argument)];
    const called = this.#run(() => this.#simnet.callPublicFn(contractId, functionName, args, address));
    if ('refusal' in called) return called;
    return { value: decoded((called.result as Extract<SdkValue, { type: 'err' }>).value) };
  }

  /**
   * Repeats a call from the chain. Returns the serialized result and the events; undefined if the VM refuses the call.
   */
  replay(call: ReplayedCall): { readonly result: Uint8Array; readonly events: SdkEvents } | undefined {
    const { contractId, functionName, args, senderAddress, epoch } = call;
    const called = this.#run(() => {
      if (epoch !== undefined) this.enterEpoch(epoch);
      return this.#simnet.callPublicFn(contractId, functionName, readArguments(args), senderAddress);
    });
    return 'refusal' in called ? undefined : { result: serializeCVBytes(called.result), events: called.events };
  }

  /** Sets the chain data that the transactions after this call see. */
  enter({ block, sponsorAddress }: World): void {
    const sponsor = sponsorAddress === undefined ? noneCV() : someCV(principalCV(sponsorAddress));
    const heights = [block.stacksHeight, block.blockHeight, block.burnHeight].map((height) => uintCV(height));
    const args = [...heights, sponsor];
    this.#simnet.callPublicFn(`${WORLD_ADDRESS}.${WORLD_NAME}`, 'enter', args, WORLD_ADDRESS);
  }

  giveStx(address: string, amount: bigint): void {
    this.#simnet.mintSTX(address, amount);
  }

  /** Changes to an epoch, which may also be an earlier one. */
  enterEpoch(epoch: EpochName): void {
    if (epoch === this.#epoch) return;
    this.#simnet.setEpoch(epoch);
    // If the package does not know an epoch, it changes to another epoch without an error.
    if (this.#simnet.currentEpoch !== epoch) throw new Error(`the Clarity VM does not know epoch ${epoch}`);
    this.#epoch = epoch;
  }

  /**
   * Runs an action, or returns the string that the VM throws to reject it. After any other error, the VM is unusable.
   */
  #run(action: () => Called): Called | { refusal: string } {
    try {
      return action();
    } catch (thrown) {
      if (typeof thrown === 'string') return { refusal: thrown };
      throw thrown;
    }
  }
}

/** Adds a definition to a source without definitions. Otherwise the VM would not use the deployer as the sender. */
function withDefinition(sourceCode: string): string {
  return sourceCode.includes('(define-') ? sourceCode : `${sourceCode}\n(define-constant stxpress-deployed true)`;
}

function decoded(value: SdkValue): ClarityValue {
  return readValue(new ByteReader(serializeCVBytes(value)));
}

const COUNT_BYTES = 4;

/** Decodes arguments. Like the VM, throws a string if the bytes are not a list of values. */
function readArguments(bytes: Uint8Array): SdkValue[] {
  try {
    const reader = new BytesReader(bytes.subarray(COUNT_BYTES));
    const count = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    const values: SdkValue[] = [];
    while (values.length < count) values.push(deserializeCV(reader));
    return values;
  } catch (error) {
    throw String(error);
  }
}
