// A session of the embedded Clarity VM: an empty chain to deploy sources on and call functions. @stacks/clarinet-sdk
// is the node's own VM compiled to WebAssembly; it needs no project and no network. @stacks/transactions, MIT licensed
// and a dependency of it, has the value types that it takes and returns.
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
type Answer = { readonly value: ClarityValue } | { readonly refusal: string };
export type SdkEvents = Called['events'];

export interface World {
  readonly block: BlockFacts;
  readonly sponsorAddress?: string | undefined;
}

const NO_EPOCH = -1;

export class Session {
  readonly #simnet: Simnet;
  #fresh: VmMemory | undefined;
  /** Epoch of the last deploy, as an index into the known epochs. */
  #epoch = NO_EPOCH;

  private constructor(simnet: Simnet) {
    this.#simnet = simnet;
  }

  /** Loads the VM, which takes about a second. */
  static async load(): Promise<Session> {
    // After vm-memory.ts, which watches for the instance that the package creates on load.
    const sdk = await import('@stacks/clarinet-sdk');
    return new Session(await sdk.getSDK());
  }

  /** Discards all state, so that one token's evaluation never affects another's. */
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

  /** The interface of a deployed contract, as the VM's package returns it. */
  interfaceOf(contractId: string): unknown {
    return this.#simnet.getContractsInterfaces().get(contractId);
  }

  /** Deploys a source. Returns its events, or why the VM refuses it; a refused deploy leaves no state. */
  deploy(source: DeployedSource, sourceCode: string): { events: SdkEvents } | { refusal: string } {
    const { address, name } = splitContractId(source.contractId);
    return this.#run(() => {
      this.enterEpoch(source.epoch);
      const options = { clarityVersion: source.clarityVersion as 1 };
      return this.#simnet.deployContract(name, withDefinition(sourceCode), options, address);
    });
  }

  /** Calls a read-only function as the deployer, without arguments or with a uint. */
  read(contractId: string, functionName: string, argument?: string): Answer {
    const { address } = splitContractId(contractId);
    const args = argument === undefined ? [] : [uintCV(argument)];
    const called = this.#run(() => this.#simnet.callReadOnlyFn(contractId, functionName, args, address));
    return 'refusal' in called ? called : { value: decoded(called.result) };
  }

  /** Calls a public function that fails with its answer, which reverts what it changes. */
  readFailing(contractId: string, functionName: string, argument?: string): Answer {
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

  /** Sets what the following transactions see. */
  enter({ block, sponsorAddress }: World): void {
    const sponsor = sponsorAddress === undefined ? noneCV() : someCV(principalCV(sponsorAddress));
    const heights = [block.stacksHeight, block.blockHeight, block.burnHeight].map((height) => uintCV(height));
    const args = [...heights, sponsor];
    this.#simnet.callPublicFn(`${WORLD_ADDRESS}.${WORLD_NAME}`, 'enter', args, WORLD_ADDRESS);
  }

  giveStx(address: string, amount: bigint): void {
    this.#simnet.mintSTX(address, amount);
  }

  /** Does nothing in a later epoch. */
  enterEpoch(epoch: EpochName): void {
    const index = EPOCHS.findIndex(({ name }) => name === epoch);
    if (index <= this.#epoch) return;
    this.#simnet.setEpoch(epoch);
    // The package takes an epoch that it does not know for another one.
    if (this.#simnet.currentEpoch !== epoch) throw new Error(`the Clarity VM does not know epoch ${epoch}`);
    this.#epoch = index;
  }

  /** The VM throws refusals as strings; anything else that it throws is a panic, and all later calls on it fail too. */
  #run(action: () => Called): Called | { refusal: string } {
    try {
      return action();
    } catch (thrown) {
      if (typeof thrown === 'string') return { refusal: thrown };
      throw thrown;
    }
  }
}

/** Without a definition, the VM uses a sender other than the deployer for calls made by a source. */
function withDefinition(sourceCode: string): string {
  return sourceCode.includes('(define-') ? sourceCode : `${sourceCode}\n(define-constant stxpress-deployed true)`;
}

function decoded(value: SdkValue): ClarityValue {
  return readValue(new ByteReader(serializeCVBytes(value)));
}

const COUNT_BYTES = 4;

/** Throws a string, as the VM does, if the bytes are not a list of values. */
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
