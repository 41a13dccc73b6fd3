// Reads and caches the contracts and recorded calls that evaluations need: many tokens share them.

import { findReferences } from '#clarity/find-references.ts';
import { DEPLOY } from '#clarity/state-names.ts';
import type { EpochName } from '#model/chain.ts';
import type { EpochCalendar } from '#model/epoch-calendar.ts';
import { unpackCode } from '#model/packed-code.ts';
import { readFirstTenure, readTip } from '#store/chain/blocks.ts';
import { readCode } from '#store/chain/code-columns.ts';
import { countDeploys, readDeployBlock } from '#store/chain/deploys.ts';
import { readCalendar } from '#store/chain/epochs.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import { readServed, type ServedContract } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { type RecordedCall, readCallsOf, readRecorded } from '#store/replay/calls.ts';
import { readWholeVariables } from '#store/replay/watches.ts';
import type { BlockFacts } from '#vm/messages.ts';
import { factsOf } from './block-facts.ts';
import { contractIdsIn } from './contracts-in.ts';
import type { PlacedCall, PlacedDeploy } from './placed-steps.ts';
import type { Reach } from './reach.ts';
import { Summaries } from './summaries.ts';
import { type VmEpoch, vmEpochOf, vmRulesOf } from './vm-rules.ts';

/** How completely the calls that may change a contract are recorded. */
export interface Followed {
  /** Its variables whose calls are all recorded. */
  readonly whole: ReadonlySet<string>;
  /** True if every block since its deploy is indexed. */
  readonly hasAllBlocks: boolean;
  /** True if blocks are missing above its deploy. */
  readonly hasGap: boolean;
  /** True if blocks are missing above several deploys of it: which of them is on the chain is not known. */
  readonly isAmbiguous: boolean;
  /** True if calls were left out because there were too many. */
  readonly leftOut: boolean;
}

/** Maximum bytes of cached sources and calls. */
const MAX_BYTES = 24_000_000;
/** Size of a call without its arguments, result and events. */
const CALL_BYTES = 500;

export class ChainReader {
  readonly store: StoreReader;
  readonly summaries = new Summaries('served');
  readonly #deploys = new Map<string, Promise<PlacedDeploy | undefined>>();
  readonly #calls = new Map<string, Promise<readonly PlacedCall[]>>();
  readonly #byId = new Map<number, PlacedCall>();
  readonly #followed = new Map<string, Promise<Followed>>();
  readonly #reaches = new Map<string, Promise<Reach>>();
  /** The version at which each contract last changed. */
  readonly #changes = new Map<string, number>();
  #version = 0;
  #callsRead = 0;
  #chainId: Promise<number | undefined> | undefined;
  #firstTenure: Promise<number | undefined> | undefined;
  #calendar: Promise<EpochCalendar> | undefined;
  #bytes = 0;

  constructor(store: StoreReader) {
    this.store = store;
  }

  chainId(): Promise<number | undefined> {
    this.#chainId ??= readInfo(this.store).then(({ chainId }) => chainId);
    return this.#chainId;
  }

  /** Number of contract changes so far. */
  get version(): number {
    return this.#version;
  }

  /** Number of calls read from the store: plans hold them even if they are not cached here. */
  get callsRead(): number {
    return this.#callsRead;
  }

  /** Must be called when contracts are stored or changed. */
  change(contractIds: Iterable<string>): void {
    this.#version++;
    for (const contractId of contractIds) this.#changes.set(contractId, this.#version);
    this.#forget();
  }

  /** True if one of these contracts changed after a version. */
  hasChanged(contractIds: readonly string[], since: number): boolean {
    return this.#version > since && contractIds.some((contractId) => (this.#changes.get(contractId) ?? 0) > since);
  }

  #forget(): void {
    this.summaries.clear();
    for (const cache of [this.#deploys, this.#calls, this.#byId, this.#followed, this.#reaches]) cache.clear();
    this.#chainId = undefined;
    this.#firstTenure = undefined;
    this.#calendar = undefined;
    this.#bytes = 0;
  }

  /** Undefined for a contract that is not served. */
  deployOf(contractId: string): Promise<PlacedDeploy | undefined> {
    return this.#cached(this.#deploys, contractId, async () => {
      const contract = await readServed(this.store, contractId);
      return contract === undefined ? undefined : this.#readDeploy(contract);
    });
  }

  /** Recorded calls that may change variables of the contract. */
  callsOf(contractId: string): Promise<readonly PlacedCall[]> {
    return this.#cached(this.#calls, contractId, async () => {
      const calls: PlacedCall[] = [];
      for (const call of await readCallsOf(this.store, contractId)) calls.push(await this.#place(call));
      return calls;
    });
  }

  /** The block at which getters are called. */
  async tip(): Promise<BlockFacts> {
    const tip = await readTip(this.store);
    const stacksHeight = tip?.height ?? 0;
    return { stacksHeight, blockHeight: tip?.tenureHeight ?? stacksHeight, burnHeight: tip?.burnBlockHeight ?? 0 };
  }

  /** The epoch in which getters are called; undefined if it is unknown. */
  async tipEpoch(): Promise<VmEpoch | undefined> {
    const tip = await readTip(this.store);
    return tip && this.#vmEpochAt(tip.burnBlockHeight);
  }

  async #vmEpochAt(burnHeight: number): Promise<VmEpoch | undefined> {
    this.#calendar ??= readCalendar(this.store);
    const chainEpoch = (await this.#calendar).at(burnHeight);
    return chainEpoch && vmEpochOf(chainEpoch.name);
  }

  followed(contractId: string): Promise<Followed> {
    return this.#cached(this.#followed, contractId, async () => {
      const contract = await readServed(this.store, contractId);
      const block = contract && (await readDeployBlock(this.store, contract.deployId));
      const gap = await readHighestGap(this.store, { canonical: true });
      const hasGap = contract !== undefined && block !== undefined && gap !== undefined && gap > contract.blockHeight;
      return {
        whole: await readWholeVariables(this.store, contractId),
        hasAllBlocks: block !== undefined && !hasGap,
        hasGap,
        isAmbiguous: hasGap && (await countDeploys(this.store, contractId)) > 1,
        leftOut: (await readRecorded(this.store, [contractId])).get(contractId)?.leftOut === true,
      };
    });
  }

  #cached<T>(cache: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
    if (this.#bytes > MAX_BYTES) this.#forget();
    const value = cache.get(key) ?? read();
    cache.set(key, value);
    return value;
  }

  async #readDeploy(contract: ServedContract): Promise<PlacedDeploy | undefined> {
    const { contractId, deployId, blockHeight, txIndex } = contract;
    const code = (await readCode(this.store, [deployId])).get(deployId);
    if (code === undefined) return undefined;
    const { epoch, clarityVersion, isExact } = vmRulesOf(contract);
    const sourceCode = unpackCode(code).source;
    this.#bytes += sourceCode.length;
    const block = await readDeployBlock(this.store, deployId);
    const { sponsorAddress, events } = block ?? {};
    const facts = factsOf(blockHeight, block, await this.#leastEpochAt(blockHeight, epoch));
    return {
      contract,
      blockHeight,
      txIndex,
      step: { contractId, sourceCode, clarityVersion, epoch, block: facts.block, sponsorAddress, events },
      reach: await this.summaries.reachOf(this.store, { contractId, functionName: DEPLOY }),
      references: findReferences(sourceCode, contract.senderAddress),
      knownHeights: facts.known,
      isExact,
    };
  }

  /** Returns the same object for all calls with the same effects. */
  #reachOf({ contractId, functionName }: RecordedCall, passed: readonly string[]): Promise<Reach> {
    return this.#cached(this.#reaches, [contractId, functionName, ...passed].join(' '), () =>
      this.summaries.reachOf(this.store, { contractId, functionName }, passed),
    );
  }

  /** Epochs before 3.0 have no tenures: for blocks in tenures, returns 3.0 in place of the guess. */
  async #leastEpochAt(height: number, guessed: EpochName | undefined): Promise<EpochName | undefined> {
    this.#firstTenure ??= readFirstTenure(this.store);
    return height >= ((await this.#firstTenure) ?? Number.POSITIVE_INFINITY) ? '3.0' : guessed;
  }

  async #place(call: RecordedCall): Promise<PlacedCall> {
    const known = this.#byId.get(call.callId);
    if (known !== undefined) return known;
    const { contractId, functionName, senderAddress, sponsorAddress, args, result, events, blockHeight, txIndex } =
      call;
    this.#bytes += args.length + result.length + CALL_BYTES;
    this.#callsRead++;
    const passed = contractIdsIn(args);
    const { epoch, isExact = true } = (await this.#vmEpochAt(call.burnBlockHeight)) ?? {};
    const guessed = epoch ?? (await this.deployOf(contractId))?.step.epoch;
    const facts = factsOf(blockHeight, call, await this.#leastEpochAt(blockHeight, guessed));
    const placed = {
      blockHeight,
      txIndex,
      call,
      step: {
        contractId,
        functionName,
        senderAddress,
        sponsorAddress,
        args,
        result,
        events,
        epoch,
        block: facts.block,
      },
      reach: await this.#reachOf(call, passed),
      passed,
      knownHeights: facts.known,
      isExact,
    };
    this.#byId.set(call.callId, placed);
    return placed;
  }
}
