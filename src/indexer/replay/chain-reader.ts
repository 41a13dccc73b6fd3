// Reads the contracts and recorded calls that evaluations need, and caches them, because many tokens need the same.

import { encodePrincipal } from '#clarity/address.ts';
import { DEPLOY } from '#clarity/builtins.ts';
import { findReferences } from '#clarity/find-references.ts';
import { countExpressions, parseSource } from '#clarity/parse-source.ts';
import type { EpochName } from '#model/chain.ts';
import { epochAt } from '#model/epoch-calendar.ts';
import { unpackCode } from '#model/packed-code.ts';
import { readFirstTenure, readTip } from '#store/chain/blocks.ts';
import { readCode } from '#store/chain/code-columns.ts';
import { countDeploys, readDeployBlock } from '#store/chain/deploys.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import { readServed, type ServedContract } from '#store/contracts/contracts.ts';
import { readTipEpoch } from '#store/contracts/tip-epoch.ts';
import type { Store } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import type { StoredKind } from '#store/replay/call-kinds.ts';
import { type CanonicalCall, readCalls } from '#store/replay/calls.ts';
import type { BlockFacts } from '#vm/messages.ts';
import { type VmEpoch, vmEpochOf, vmRulesOf } from '#vm/vm-rules.ts';
import { factsOf } from './block-facts.ts';
import { contractIdsOf, findNewWrites } from './find-writes.ts';
import { Summaries } from './summaries.ts';
import { inChainOrder, type PlacedCall, type PlacedDeploy } from './trace-steps.ts';
import type { TransitiveEffects, Variable } from './transitive-effects.ts';
import { readWritingKinds, type WritingKind, type WritingKinds } from './writing-kinds.ts';

/** The maximum number of bytes of cached sources and calls. */
const MAX_BYTES = 24_000_000;
/** The approximate size of a call in bytes: in this cache, and with its place in a plan. */
const [CALL_BYTES, PLANNED_CALL_BYTES] = [500, 1_500];
/** The approximate size of a name in effects in bytes. */
const NAME_BYTES = 40;

/** Facts about the blocks since the deploy of a contract. */
interface BlocksSince {
  /** True if every block since the deploy is indexed. */
  readonly hasAllBlocks: boolean;
  /** True if blocks are missing above the deploy. */
  readonly hasGap: boolean;
  /** True if blocks are missing above several deploys of the contract, so that the canonical deploy is unknown. */
  readonly isAmbiguous: boolean;
}

export class ChainReader {
  readonly store: Store;
  readonly summaries: Summaries;
  readonly #deploys = new Map<string, Promise<PlacedDeploy | undefined>>();
  readonly #kindsByLimit = new Map<string, Promise<WritingKinds | undefined>>();
  readonly #callsByKind = new Map<number, readonly PlacedCall[]>();
  readonly #blocksSince = new Map<string, Promise<BlocksSince>>();
  readonly #effects = new Map<string, Promise<TransitiveEffects>>();
  /** The version ({@link version}) at which each contract last changed. */
  readonly #changes = new Map<string, number>();
  /** The number of times that contracts have changed. */
  version = 0;
  #bytesRead = 0;
  #foundWrites: Promise<void> | undefined;
  #chainId: Promise<number | undefined> | undefined;
  #firstTenure: Promise<number | undefined> | undefined;
  #bytes = 0;

  constructor(store: Store) {
    this.store = store;
    this.summaries = new Summaries(store, 'served');
  }

  chainId(): Promise<number | undefined> {
    this.#chainId ??= readInfo(this.store).then(({ chainId }) => chainId);
    return this.#chainId;
  }

  /** The bytes of sources and calls read from the store. Plans keep them in memory, even after this cache is cleared. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Clears the cache. Must be called when contracts are stored or changed. */
  change(contractIds: Iterable<string>): void {
    this.version++;
    for (const contractId of contractIds) this.#changes.set(contractId, this.version);
    this.#foundWrites = undefined;
    this.#forget();
  }

  /** True if one of these contracts changed after a version. */
  hasChanged(contractIds: readonly string[], since: number): boolean {
    return this.version > since && contractIds.some((contractId) => (this.#changes.get(contractId) ?? 0) > since);
  }

  #forget(): void {
    this.summaries.clear();
    for (const cache of [this.#deploys, this.#kindsByLimit, this.#callsByKind, this.#blocksSince, this.#effects])
      cache.clear();
    this.#chainId = undefined;
    this.#firstTenure = undefined;
    this.#bytes = 0;
  }

  /** Reads the deploy of a contract; undefined for a contract that is not served. */
  deployOf(contractId: string): Promise<PlacedDeploy | undefined> {
    return this.#cached(this.#deploys, contractId, async () => {
      const contract = await readServed(this.store, contractId);
      return contract === undefined ? undefined : this.#readDeploy(contract);
    });
  }

  /** Stores the variables that new kinds of calls may write, and queues the tokens that depend on these variables. */
  findWrites(): Promise<void> {
    this.#foundWrites ??= findNewWrites(this.store);
    return this.#foundWrites;
  }

  /** Returns the kinds that may write a variable ({@link readWritingKinds}). */
  async kindsWriting(variable: Variable, maxKinds: number): Promise<WritingKinds | undefined> {
    await this.findWrites();
    return this.#cached(this.#kindsByLimit, `${maxKinds} ${variable}`, () =>
      readWritingKinds(this, variable, maxKinds),
    );
  }

  /** Returns the first `limit` calls of these kinds, in chain order. Caches calls by kind, as tokens share kinds. */
  async callsOf(kinds: readonly WritingKind[], limit: number): Promise<readonly PlacedCall[]> {
    if (kinds.reduce((sum, { calls }) => sum + calls, 0) > limit) return this.#readCalls(kinds, limit);
    const known = kinds.map(({ kindId }) => this.#callsByKind.get(kindId));
    const unread = kinds.filter((_, index) => known[index] === undefined);
    // `known` was read before this line, because reading may clear the cache.
    const read = await this.#readCalls(unread, limit);
    const byKind = Map.groupBy(read, ({ id }) => id.kindId);
    for (const { kindId } of unread) this.#callsByKind.set(kindId, byKind.get(kindId) ?? []);
    return [...known.flatMap((calls) => calls ?? []), ...read].sort(inChainOrder);
  }

  async #readCalls(kinds: readonly WritingKind[], limit: number): Promise<PlacedCall[]> {
    const byId = new Map(kinds.map((kind) => [kind.kindId, kind]));
    const calls: PlacedCall[] = [];
    for (const call of await readCalls(this.store, [...byId.keys()], limit))
      calls.push(await this.#place(call, byId.get(call.kindId) as WritingKind));
    return calls;
  }

  /** Returns the heights that getters see when they are called at the tip. */
  async tip(): Promise<BlockFacts> {
    const tip = await readTip(this.store);
    const stacksHeight = tip?.height ?? 0;
    return { stacksHeight, blockHeight: tip?.tenureHeight ?? stacksHeight, burnHeight: tip?.burnBlockHeight ?? 0 };
  }

  /** Returns the epoch of the tip, in which getters are called; undefined if it is unknown. */
  async tipEpoch(): Promise<VmEpoch | undefined> {
    const name = await readTipEpoch(this.store);
    return name === undefined ? undefined : vmEpochOf(name);
  }

  /** Returns which blocks since the deploy of a contract are indexed. */
  blocksSince(contractId: string): Promise<BlocksSince> {
    return this.#cached(this.#blocksSince, contractId, async () => {
      const contract = await readServed(this.store, contractId);
      const block = contract && (await readDeployBlock(this.store, contract.deployId));
      const gap = await readHighestGap(this.store, { canonical: true });
      const hasGap = contract !== undefined && block !== undefined && gap !== undefined && gap > contract.blockHeight;
      const isAmbiguous = hasGap && (await countDeploys(this.store, contractId)) > 1;
      return { hasAllBlocks: block !== undefined && !hasGap, hasGap, isAmbiguous };
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
    const expressions = parseSource(sourceCode);
    this.#bytes += sourceCode.length;
    this.#bytesRead += sourceCode.length;
    const block = await readDeployBlock(this.store, deployId);
    const facts = factsOf(blockHeight, block, await this.#leastEpochAt(blockHeight, epoch));
    return {
      contract,
      blockHeight,
      txIndex,
      request: { contractId, sourceCode, clarityVersion, epoch, block: facts.block, events: block?.events },
      effects: await this.summaries.effectsOf({ contractId, functionName: DEPLOY }),
      references: findReferences(expressions, contract.senderAddress),
      expressions: countExpressions(expressions),
      knownHeights: facts.known,
      isExact,
    };
  }

  /** Returns the effects of a kind. Equal effects are the same object. */
  effectsOf({ contractId, functionName, passed }: StoredKind): Promise<TransitiveEffects> {
    return this.#cached(this.#effects, `${contractId} ${functionName} ${passed}`, async () => {
      const effects = await this.summaries.effectsOf({ contractId, functionName }, new Set(contractIdsOf({ passed })));
      this.#bytes += (effects.reads.size + effects.writes.size) * NAME_BYTES;
      return effects;
    });
  }

  /** Returns epoch 3.0 for a height in a tenure, because earlier epochs have no tenures; otherwise `guessed`. */
  async #leastEpochAt(height: number, guessed: EpochName | undefined): Promise<EpochName | undefined> {
    this.#firstTenure ??= readFirstTenure(this.store);
    return height >= ((await this.#firstTenure) ?? Number.POSITIVE_INFINITY) ? '3.0' : guessed;
  }

  async #place(call: CanonicalCall, { contractId, functionName, effects }: WritingKind): Promise<PlacedCall> {
    const { blockId, kindId, txId, blockHeight, txIndex, argumentBytes, outcome, sender } = call;
    this.#bytes += CALL_BYTES;
    this.#bytesRead += PLANNED_CALL_BYTES;
    const epoch = epochAt(await this.chainId(), call.burnBlockHeight)?.name;
    const guessed = epoch ?? (await this.deployOf(contractId))?.request.epoch;
    const facts = factsOf(blockHeight, call, await this.#leastEpochAt(blockHeight, guessed));
    return {
      blockHeight,
      txIndex,
      id: { blockId, kindId, txId },
      argumentBytes,
      request: {
        contractId,
        functionName,
        senderAddress: encodePrincipal(sender),
        outcome,
        epoch,
        block: facts.block,
      },
      effects,
      knownHeights: facts.known,
    };
  }
}
