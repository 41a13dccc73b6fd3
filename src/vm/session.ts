// A session of the embedded Clarity VM: an empty chain to deploy sources and call functions. The package
// @stacks/clarinet-sdk-wasm is the node's VM compiled to WebAssembly. It requires neither a project nor a network. The
// package @stacks/clarinet-sdk wraps it, but throws an error for strings above 100 KB, and converts values slowly.
import type { SDK, TransactionRes } from '@stacks/clarinet-sdk-wasm';
import { ByteReader, bytesFromHex, DecodeError } from '#clarity/byte-reader.ts';
import { type ClarityValue, encodeUint, readValue } from '#clarity/decode-value.ts';
import type { VmEvent } from '#clarity/event-digest.ts';
import type { EpochName } from '#model/chain.ts';
import { splitContractId } from '#model/principal.ts';
import type { BlockFacts, DeployedSource, ReplayedCall } from './messages.ts';
import { FACTS_ADDRESS, FACTS_NAME, FACTS_SOURCE } from './prepare-source.ts';
import { copyMemory, type VmMemory } from './vm-memory.ts';

type Package = typeof import('@stacks/clarinet-sdk-wasm');
type ReadResult = { readonly value: ClarityValue } | { readonly refusal: string };

export class Session {
  readonly #package: Package;
  readonly #simnet: SDK;
  #fresh: VmMemory | undefined;
  #epoch: EpochName | undefined;

  private constructor(vm: Package) {
    this.#package = vm;
    const readFile = () => undefined;
    this.#simnet = new vm.SDK(readFile, new vm.SDKOptions(false, false, false));
  }

  /** Loads the VM, which takes about a second. */
  static async load(): Promise<Session> {
    // This import must come after vm-memory.ts, which intercepts the WebAssembly instance that the package creates.
    return new Session(await import('@stacks/clarinet-sdk-wasm'));
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
    this.#deploy(FACTS_NAME, FACTS_SOURCE, 1, FACTS_ADDRESS);
    this.#fresh = copyMemory();
  }

  /** True if this thread can provide another session after this one. */
  get isReusable(): boolean {
    return this.#fresh?.isSound() ?? true;
  }

  /**
   * Returns the source of a contract that exists; otherwise undefined. The VM's package brings contracts along: the
   * boot contracts and sBTC.
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
  deploy(source: DeployedSource, sourceCode: string): { events: readonly VmEvent[] } | { refusal: string } {
    const { address, name } = splitContractId(source.contractId);
    const deployed = this.#run(() => {
      this.enterEpoch(source.epoch);
      return this.#deploy(name, withDefinition(sourceCode), source.clarityVersion, address);
    });
    return 'refusal' in deployed ? deployed : { events: eventsOf(deployed) };
  }

  #deploy(name: string, sourceCode: string, version: number, address: string): TransactionRes {
    const { ContractOptions, DeployContractArgs } = this.#package;
    return this.#simnet.deployContract(new DeployContractArgs(name, sourceCode, new ContractOptions(version), address));
  }

  /** Calls a read-only function as the deployer, either without arguments or with a uint. */
  read(contractId: string, functionName: string, argument?: string): ReadResult {
    const called = this.#run(() => this.#simnet.callReadOnlyFn(this.#argsOf(contractId, functionName, argument)));
    return 'refusal' in called ? called : { value: decoded(resultOf(called)) };
  }

  /** Calls a public function that fails with its result. The VM reverts all changes of a failed call. */
  readFailing(contractId: string, functionName: string, argument?: string): ReadResult {
    const called = this.#run(() => this.#simnet.callPublicFn(this.#argsOf(contractId, functionName, argument)));
    if ('refusal' in called) return called;
    return { value: (decoded(resultOf(called)) as { readonly value: ClarityValue }).value };
  }

  #argsOf(contractId: string, functionName: string, argument: string | undefined) {
    const args = argument === undefined ? [] : [encodeUint(argument)];
    return new this.#package.CallFnArgs(contractId, functionName, args, splitContractId(contractId).address);
  }

  /**
   * Repeats a call from the chain. Returns the serialized result and the events; undefined if the VM refuses the call.
   */
  replay(call: ReplayedCall): { readonly result: Uint8Array; readonly events: readonly VmEvent[] } | undefined {
    const { contractId, functionName, args, senderAddress, epoch } = call;
    const called = this.#run(() => {
      if (epoch !== undefined) this.enterEpoch(epoch);
      const split = splitArguments(args);
      return this.#simnet.callPublicFn(new this.#package.CallFnArgs(contractId, functionName, split, senderAddress));
    });
    return 'refusal' in called ? undefined : { result: resultOf(called), events: eventsOf(called) };
  }

  /** Sets the heights that the transactions after this call see. */
  enter({ stacksHeight, blockHeight, burnHeight }: BlockFacts): void {
    const args = [stacksHeight, blockHeight, burnHeight].map((height) => encodeUint(`${height}`));
    const contractId = `${FACTS_ADDRESS}.${FACTS_NAME}`;
    this.#simnet.callPublicFn(new this.#package.CallFnArgs(contractId, 'enter', args, FACTS_ADDRESS));
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
  #run(action: () => TransactionRes): TransactionRes | { refusal: string } {
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

const resultOf = ({ result }: TransactionRes): Buffer => bytesFromHex(result);
const decoded = (result: Buffer): ClarityValue => readValue(new ByteReader(result));
const eventsOf = ({ events }: TransactionRes): VmEvent[] =>
  (JSON.parse(events) as string[]).map((event) => JSON.parse(event) as VmEvent);

/** Returns the serialized arguments, one by one. Like the VM, throws a string if the bytes are not a list of values. */
function splitArguments(bytes: Uint8Array): Uint8Array[] {
  try {
    const reader = new ByteReader(bytes);
    return Array.from({ length: reader.u32() }, () => {
      const from = reader.rest();
      readValue(reader);
      return from.subarray(0, from.length - reader.remaining);
    });
  } catch (error) {
    throw error instanceof DecodeError ? error.message : error;
  }
}
