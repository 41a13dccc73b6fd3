// One session of the embedded Clarity VM: an empty chain on which sources are deployed and their functions called.
// @stacks/clarinet-sdk is the VM of the node itself, compiled to WebAssembly; it needs no project and no network.
// @stacks/transactions has the form of values that it takes and gives, MIT; it depends on it.
import type { getSDK } from '@stacks/clarinet-sdk';
import {
  BytesReader,
  boolCV,
  deserializeCV,
  noneCV,
  principalCV,
  serializeCVBytes,
  someCV,
  uintCV,
} from '@stacks/transactions';
import { EPOCHS, type EpochName } from '#model/chain.ts';
import { splitContractId } from '#model/principal.ts';
import type { BlockFacts, DeployedSource, ReplayedCall } from './messages.ts';
import { WORLD_ADDRESS, WORLD_NAME, WORLD_SOURCE } from './prepare-source.ts';
import { VmMemory } from './vm-memory.ts';

type Simnet = Awaited<ReturnType<typeof getSDK>>;
type Called = ReturnType<Simnet['callReadOnlyFn']>;
/** A Clarity value as the SDK gives it. */
export type SdkValue = Called['result'];
/** The events of a transaction as the SDK gives them. */
export type SdkEvents = Called['events'];

/** What a transaction sees of its block and of itself. */
export interface World {
  readonly block: BlockFacts;
  readonly sponsorAddress?: string | undefined;
  /** Whether the guards are lifted that can be. */
  readonly isUnguarded?: boolean;
}

const NO_EPOCH = -1;

/** The VM panicked, and every later call on it fails too. */
export class VmPanic extends Error {}

export class Session {
  readonly #simnet: Simnet;
  #fresh: VmMemory | undefined;
  /** The epoch of the last deploy, by its place among those that are known. */
  #epoch = NO_EPOCH;
  /** The contracts through which public functions are read. */
  readonly #readers = new Map<string, string>();

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
    this.#readers.clear();
    if (this.#fresh !== undefined) {
      this.#fresh.restore();
      return;
    }
    await this.#simnet.initEmptySession({ enabled: false });
    this.#simnet.setEpoch('2.0');
    this.#simnet.deployContract(WORLD_NAME, WORLD_SOURCE, { clarityVersion: 1 }, WORLD_ADDRESS);
    this.#fresh = VmMemory.copy();
  }

  /** Whether further sessions can be had from this thread. */
  get isReusable(): boolean {
    return this.#fresh?.isSound ?? true;
  }

  /** Whether the contract is there; the VM brings the boot contracts itself. */
  has(contractId: string): boolean {
    return this.#simnet.getContractSource(contractId) !== undefined;
  }

  /** Deploys a source. Returns its events, or why the VM refuses it; a refused deploy leaves no state. */
  deploy(source: DeployedSource, sourceCode: string): { events: SdkEvents } | { refusal: string } {
    const { address, name } = splitContractId(source.contractId);
    return this.#run(() => {
      this.#enter(source.epoch);
      const options = { clarityVersion: source.clarityVersion as 1 };
      return this.#simnet.deployContract(name, withDefinition(sourceCode), options, address);
    });
  }

  /** Calls a read-only function as the deployer, without arguments or with a uint. */
  read(contractId: string, functionName: string, argument?: string): { value: SdkValue } | { refusal: string } {
    const { address } = splitContractId(contractId);
    const args = argument === undefined ? [] : [uintCV(argument)];
    const called = this.#run(() => this.#simnet.callReadOnlyFn(contractId, functionName, args, address));
    return 'refusal' in called ? called : { value: called.result };
  }

  /** Calls a public function as {@link read} does, through a contract that takes back what it changes. */
  readPublic(
    contractId: string,
    functionName: string,
    clarityVersion: number,
    argument?: string,
  ): { value: SdkValue } | { refusal: string } {
    const { address } = splitContractId(contractId);
    const key = `${contractId} ${functionName} ${argument === undefined}`;
    const reader = this.#readers.get(key) ?? `stxpress-reader-${this.#readers.size}`;
    const [parameter, passed] = argument === undefined ? ['', ''] : [' (id uint)', ' id'];
    const source = `(define-public (read${parameter}) (err (contract-call? '${contractId} ${functionName}${passed})))`;
    const args = argument === undefined ? [] : [uintCV(argument)];
    const called = this.#run(() => {
      if (!this.#readers.has(key))
        this.#simnet.deployContract(reader, source, { clarityVersion: clarityVersion as 1 }, address);
      this.#readers.set(key, reader);
      return this.#simnet.callPublicFn(`${address}.${reader}`, 'read', args, address);
    });
    if ('refusal' in called) return called;
    return { value: (called.result as Extract<SdkValue, { type: 'err' }>).value };
  }

  /** Makes a call as it was made on chain. Returns the serialized result, or undefined where the VM refuses it. */
  replay({
    contractId,
    functionName,
    args,
    senderAddress,
    epoch,
  }: ReplayedCall): { readonly result: Uint8Array; readonly events: SdkEvents } | undefined {
    const called = this.#run(() => {
      if (epoch !== undefined) this.#enter(epoch);
      return this.#simnet.callPublicFn(contractId, functionName, readArguments(args), senderAddress);
    });
    return 'refusal' in called ? undefined : { result: serializeCVBytes(called.result), events: called.events };
  }

  /** Says what the transactions from here on see. */
  enter({ block, sponsorAddress, isUnguarded = false }: World): void {
    const sponsor = sponsorAddress === undefined ? noneCV() : someCV(principalCV(sponsorAddress));
    const args = [uintCV(block.stacksHeight), uintCV(block.burnHeight), sponsor, boolCV(isUnguarded)];
    this.#simnet.callPublicFn(`${WORLD_ADDRESS}.${WORLD_NAME}`, 'enter', args, WORLD_ADDRESS);
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
  #run(action: () => Called): Called | { refusal: string } {
    try {
      return action();
    } catch (thrown) {
      if (typeof thrown === 'string') return { refusal: thrown };
      throw new VmPanic(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
}

/** Without a definition, the VM takes another sender than the deployer for what a source calls. */
function withDefinition(sourceCode: string): string {
  return sourceCode.includes('(define-') ? sourceCode : `${sourceCode}\n(define-constant stxpress-deployed true)`;
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
