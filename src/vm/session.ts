// One session of the embedded Clarity VM: an empty chain on which sources are deployed and their functions called.
// @stacks/clarinet-sdk is the VM of the node itself, compiled to WebAssembly; it needs no project and no network.
// @stacks/transactions has the form of values that it takes and gives, MIT; it depends on it.
import type { getSDK } from '@stacks/clarinet-sdk';
import { BytesReader, deserializeCV, serializeCVBytes, uintCV } from '@stacks/transactions';
import type { EpochName } from '#model/chain.ts';
import { EPOCHS } from '#model/chain.ts';
import { splitContractId } from '#model/principal.ts';
import type { ChainStep, DeployedSource, EvaluationRequest, ReplayedCall } from './messages.ts';
import { VmMemory } from './vm-memory.ts';

type Simnet = Awaited<ReturnType<typeof getSDK>>;
/** A Clarity value as the SDK gives it. */
export type SdkValue = ReturnType<Simnet['callReadOnlyFn']>['result'];

const NO_EPOCH = -1;

/** The VM panicked, and every later call on it fails too. */
export class VmPanic extends Error {}

export class Session {
  readonly #simnet: Simnet;
  #fresh: VmMemory | undefined;
  /** The epoch of the last deploy, by its place among those that are known. */
  #epoch = NO_EPOCH;

  private constructor(simnet: Simnet) {
    this.#simnet = simnet;
  }

  /** Loads the VM, about a second. */
  static async load(): Promise<Session> {
    // Not before vm-memory.ts, which watches for the instance that the package makes when it is loaded.
    const sdk = await import('@stacks/clarinet-sdk');
    return new Session(await sdk.getSDK());
  }

  /** Throws all state away: what one token's evaluation leaves behind never reaches another's. */
  async reset(): Promise<void> {
    this.#epoch = NO_EPOCH;
    if (this.#fresh !== undefined) {
      this.#fresh.restore();
      return;
    }
    await this.#simnet.initEmptySession({ enabled: false });
    this.#fresh = VmMemory.copy();
  }

  /** Whether further sessions can be had from this thread. */
  get isReusable(): boolean {
    return this.#fresh?.isSound ?? true;
  }

  /** Whether a token, and what is missing of its dependencies, can be deployed: a chain never goes back in epochs. */
  canFollow({ token, dependencies }: Pick<EvaluationRequest, 'token' | 'dependencies'>): boolean {
    const isDeployable = ({ epoch }: ChainStep) => epoch === undefined || epochIndex(epoch) >= this.#epoch;
    return (
      !this.has(token.contractId) &&
      [token, ...dependencies.filter(({ contractId }) => !this.has(contractId))].every(isDeployable)
    );
  }

  /** Whether the contract is there; the VM brings the boot contracts itself. */
  has(contractId: string): boolean {
    return this.#simnet.getContractSource(contractId) !== undefined;
  }

  /** Deploys a source. Returns why the VM refuses it, or undefined; a refused deploy leaves no state. */
  deploy(source: DeployedSource, sourceCode: string): string | undefined {
    const { address, name } = splitContractId(source.contractId);
    return this.#refusalOf(() => {
      this.#enter(source.epoch);
      this.#simnet.deployContract(name, sourceCode, { clarityVersion: source.clarityVersion as 1 }, address);
    });
  }

  /** Calls a function as the deployer, without arguments or with a uint. Returns its value, or why the VM refuses. */
  call(
    contractId: string,
    functionName: string,
    access: 'read_only' | 'public',
    argument?: string,
  ): { value: SdkValue } | { refusal: string } {
    const { address } = splitContractId(contractId);
    const args = argument === undefined ? [] : [uintCV(argument)];
    let value: SdkValue | undefined;
    const refusal = this.#refusalOf(() => {
      const called =
        access === 'public'
          ? this.#simnet.callPublicFn(contractId, functionName, args, address)
          : this.#simnet.callReadOnlyFn(contractId, functionName, args, address);
      value = called.result;
    });
    return value === undefined ? { refusal: refusal ?? 'it gave no value' } : { value };
  }

  /** Makes a call as it was made on chain. Returns the serialized result, or undefined where the VM refuses it. */
  replay({ contractId, functionName, args, senderAddress, epoch }: ReplayedCall): Uint8Array | undefined {
    let result: Uint8Array | undefined;
    this.#refusalOf(() => {
      if (epoch !== undefined) this.#enter(epoch);
      const called = this.#simnet.callPublicFn(contractId, functionName, readArguments(args), senderAddress);
      result = serializeCVBytes(called.result);
    });
    return result;
  }

  /** Gives an address STX to spend, in micro-STX. */
  giveStx(address: string, amount: bigint): void {
    this.#simnet.mintSTX(address, amount);
  }

  #enter(epoch: EpochName): void {
    const index = epochIndex(epoch);
    if (index <= this.#epoch) return;
    this.#simnet.setEpoch(epoch);
    this.#epoch = index;
  }

  /** The VM throws its refusals as texts; anything else that it throws is a panic. */
  #refusalOf(action: () => void): string | undefined {
    try {
      action();
      return undefined;
    } catch (thrown) {
      if (typeof thrown === 'string') return thrown;
      throw new VmPanic(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
}

function epochIndex(epoch: EpochName): number {
  return EPOCHS.findIndex(({ name }) => name === epoch);
}

const COUNT_BYTES = 4;

/** Throws a text, as the VM does, for what is no list of values. */
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
