// A session of the embedded Clarity VM: an empty chain to deploy sources and call functions. @stacks/clarinet-sdk is
// the node's VM compiled to WebAssembly. It requires neither a project nor a network. @stacks/transactions, which it
// depends on, is MIT-licensed and provides the types of its values.
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
import { EPOCHS, type EpochName } from '#model/chain.ts';
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

const NO_EPOCH = -1;

export class Session {
  readonly #simnet: Simnet;
  #fresh: VmMemory | undefined;
  /** The current epoch, as an index into the known epochs. */
  #epoch = NO_EPOCH;

  private constructor(simnet: Simnet) {
    this.#simnet = simnet;
  }

  /** Loads the VM, which takes about a second. */
  static async load(): Promise<Session> {
    // Imported after vm-memory.ts, which intercepts the instance that the package creates on load.
    const sdk = await import('@stacks/clarinet-sdk');
    return new Session(await sdk.getSDK());
  }

  /** Discards all state, so that the evaluation of one token does not affect another. */
  async reset(): Promise<void> {
    this.#epoch = NO_EPOCH;
    if (this.#fresh !== undefined) {
      this.#fresh.restore();
      return;
    }
    await this.#simnet.initEmptySession({ enabled: false });
    this.#simnet.setEpoch('2.0');
    this.#simnet.deployContract(WORLD_NAME, WORLD_SOURCE, { clarityVersion: 1 }, WORLD_ADDRESS);
    this.#fresh = copyMemory();
  }

  /** True if this thread can provide further sessions. */
  get isReusable(): boolean {
    return this.#fresh?.isSound() ?? true;
  }

  /** True if the contract exists; the VM includes the boot contracts. */
  has(contractId: string): boolean {
    return this.#simnet.getContractSource(contractId) !== undefined;
  }

  /** Returns the interface of a deployed contract, as returned by the VM's package. */
  interfaceOf(contractId: string): unknown {
    return this.#simnet.getContractsInterfaces().get(contractId);
  }

  /**
   * Deploys a source. Returns its events, or the reason why the VM rejects it. A rejected deploy does not change the
   * state.
   */
  deploy(source: DeployedSource, sourceCode: string): { events: SdkEvents } | { refusal: string } {
    const { address, name } = splitContractId(source.contractId);
    return this.#run(() => {
      this.enterEpoch(source.epoch);
      const options = { clarityVersion: source.clarityVersion as 1 };
      return this.#simnet.deployContract(name, withDefinition(sourceCode), options, address);
    });
  }

  /** Calls a read-only function as the deployer, without arguments or with a uint. */
  read(contractId: string, functionName: string, argument?: string): ReadResult {
    const { address } = splitContractId(contractId);
    const args = argument === undefined ? [] : [uintCV(argument)];
    const called = this.#run(() => this.#simnet.callReadOnlyFn(contractId, functionName, args, address));
    return 'refusal' in called ? called : { value: decoded(called.result) };
  }

  /** Calls a public function that fails with its result, so that its changes are reverted. */
  readFailing(contractId: string, functionName: string, argument?: string): ReadResult {
    const { address } = splitContractId(contractId);
    const args = argument === undefined ? [] : [uintCV(argument)];
    const called = this.#run(() => this.#simnet.callPublicFn(contractId, functionName, args, address));
    if ('refusal' in called) return called;
    return { value: decoded((called.result as Extract<SdkValue, { type: 'err' }>).value) };
  }

  /** Repeats a call from the chain. Returns the serialized result, or undefined if the VM refuses it. */
  replay(call: ReplayedCall): { readonly result: Uint8Array; readonly events: SdkEvents } | undefined {
    const { contractId, functionName, args, senderAddress, epoch } = call;
    const called = this.#run(() => {
      if (epoch !== undefined) this.enterEpoch(epoch);
      return this.#simnet.callPublicFn(contractId, functionName, readArguments(args), senderAddress);
    });
    return 'refusal' in called ? undefined : { result: serializeCVBytes(called.result), events: called.events };
  }

  /** Sets the chain data that the following transactions see. */
  enter({ block, sponsorAddress }: World): void {
    const sponsor = sponsorAddress === undefined ? noneCV() : someCV(principalCV(sponsorAddress));
    const heights = [block.stacksHeight, block.blockHeight, block.burnHeight].map((height) => uintCV(height));
    const args = [...heights, sponsor];
    this.#simnet.callPublicFn(`${WORLD_ADDRESS}.${WORLD_NAME}`, 'enter', args, WORLD_ADDRESS);
  }

  giveStx(address: string, amount: bigint): void {
    this.#simnet.mintSTX(address, amount);
  }

  /** Changes to an epoch, unless the current one is later. */
  enterEpoch(epoch: EpochName): void {
    const index = EPOCHS.findIndex(({ name }) => name === epoch);
    if (index <= this.#epoch) return;
    this.#simnet.setEpoch(epoch);
    // The package replaces an unknown epoch by another one.
    if (this.#simnet.currentEpoch !== epoch) throw new Error(`the Clarity VM does not know epoch ${epoch}`);
    this.#epoch = index;
  }

  /**
   * Runs an action. The VM throws a string to reject it. Any other error is a panic, after which the VM is unusable.
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

/**
 * Adds a definition to a source without one, because the VM would otherwise not use the deployer as the sender of its
 * calls.
 */
function withDefinition(sourceCode: string): string {
  return sourceCode.includes('(define-') ? sourceCode : `${sourceCode}\n(define-constant stxpress-deployed true)`;
}

function decoded(value: SdkValue): ClarityValue {
  return readValue(new ByteReader(serializeCVBytes(value)));
}

const COUNT_BYTES = 4;

/** Decodes arguments. Throws a string, like the VM, if the bytes are not a list of values. */
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
