// Replays deploys and calls in a fresh VM session, compares their effects with the chain, and calls the getters of
// tokens.
import { digestVmEvents, isOutcome } from '#clarity/event-digest.ts';
import { parseSource } from '#clarity/parse-source.ts';
import { type Failure, fail } from '#model/failure.ts';
import type { GetterResult, TokenGetter } from '#model/token.ts';
import { failedResult } from '#standards/read-getter-result.ts';
import { computeInterface } from './compute-interface.ts';
import { namesIn } from './cut-source.ts';
import { type Deployed, deployDependency, deployToken, findBundled, type LaterNames } from './deploy-partially.ts';
import { findSupplyAssets } from './find-supply-assets.ts';
import {
  type BlockFacts,
  type ChainStep,
  type DeployedSource,
  isCall,
  type Progress,
  type Replayed,
  type ReplayedCall,
  type ReplayRequest,
  SCOPES,
  type Scope,
  type TokenReads,
  type TokenResults,
} from './messages.ts';
import { prepareSource } from './prepare-source.ts';
import { readGetters, withReaders } from './read-getters.ts';
import type { Session } from './session.ts';

/** The balance of each sender: a million STX in micro-STX. On chain, the senders had the amounts that they spent. */
const STX_OF_SENDERS = 1_000_000_000_000n;
const SUPPLY: TokenGetter = 'get-total-supply';

interface TokenState {
  readonly deployed: Deployed;
  /** The supply right after the deploy, in its block and epoch. Later calls that change it are not tracked. */
  readonly supply: GetterResult | undefined;
}

export class Replay {
  readonly #session: Session;
  readonly #request: ReplayRequest;
  readonly #onProgress: (progress: Progress) => void;
  readonly #steps: ReplayRequest['steps'];
  readonly #tokens: ReadonlyMap<string, TokenReads>;
  readonly #states = new Map<string, TokenState>();
  readonly #diverged: number[] = [];
  readonly #dependent: number[] = [];
  readonly #hasStx: boolean;
  readonly #hasCalls: boolean;
  readonly #withStx = new Set<string>();
  readonly #names = new Map<DeployedSource, ReadonlySet<string>>();
  #usesFacts = false;
  /** The facts that the VM sees, as JSON. */
  #facts = '';

  /** `session` must be without state of earlier replays ({@link Session.reset}). */
  constructor(session: Session, request: ReplayRequest, onProgress: (progress: Progress) => void) {
    this.#session = session;
    this.#request = request;
    this.#onProgress = onProgress;
    this.#tokens = new Map(request.tokens.map((token) => [token.contractId, token]));
    this.#steps = request.steps.map((step) =>
      isCall(step) || step.contractId === request.interfaceOf ? step : this.#prepare(step),
    );
    this.#hasCalls = this.#steps.some(isCall);
    this.#hasStx = this.#steps.some((step) => !isCall(step) && step.sourceCode.includes('stx-'));
  }

  #rewrite({ sourceCode, clarityVersion }: DeployedSource) {
    return prepareSource(sourceCode, { clarityVersion, chainId: this.#request.chainId });
  }

  #prepare(source: DeployedSource): DeployedSource {
    const { sourceCode, usesFacts } = this.#rewrite(source);
    this.#usesFacts ||= usesFacts;
    const reads = this.#tokens.get(source.contractId)?.reads ?? [];
    return { ...source, sourceCode: withReaders(sourceCode, reads) };
  }

  run(): Replayed {
    const last = this.#steps.at(-1);
    if (last !== undefined && !isCall(last) && last.contractId === this.#request.interfaceOf)
      return this.#computeInterface(last);
    const upTo = this.#request.upTo ?? this.#steps.length;
    for (const [index, step] of this.#steps.entries()) {
      // After `upTo`, calls are skipped, but tokens that are not deployed yet are deployed and then read.
      if (index >= upTo && (isCall(step) || this.#states.size === this.#tokens.size)) continue;
      const isSame =
        step.isSkipped === true ? false : isCall(step) ? this.#replayCall(step, index) : this.#deploy(step, index);
      if (!isSame) this.#diverged.push(index);
    }
    this.#enter(this.#request.tip);
    if (this.#request.tipEpoch !== undefined) this.#session.enterEpoch(this.#request.tipEpoch);
    const tokens = this.#request.tokens.map((token) => {
      // Reports the token's deploy as the step in progress, in case a getter crashes the VM or does not finish.
      const step = this.#steps.findIndex(
        (candidate) => !isCall(candidate) && candidate.contractId === token.contractId,
      );
      this.#onProgress({ step, scope: 'getters' });
      return this.#read(token);
    });
    return { tokens, diverged: this.#diverged, dependent: this.#dependent };
  }

  /** Deploys dependencies, then only the definitions of the contract, since its other code requires missing state. */
  #computeInterface(source: DeployedSource): Replayed {
    const dependencies = this.#steps.slice(0, -1);
    for (const [index, step] of dependencies.entries()) {
      if (isCall(step) || step.isSkipped === true) continue;
      this.#onProgress({ step: index });
      this.#enter(step.block);
      this.#findBundled(index) ?? deployDependency(this.#session, step, this.#namesAfter(index));
    }
    // Reports the last scope, because no scope is tried after it if the VM crashes.
    this.#onProgress({ step: dependencies.length, scope: 'getters' });
    this.#enter(source.block);
    return { tokens: [], diverged: [], dependent: [], computed: computeInterface(this.#session, source) };
  }

  /** Repeats a call. Returns true if the call had the same effect as on chain. */
  #replayCall(call: ReplayedCall, index: number): boolean {
    this.#onProgress({ step: index });
    this.#giveStx(call.senderAddress);
    this.#enter(call.block);
    const replayed = this.#session.replay(call);
    return replayed !== undefined && isOutcome(call.outcome, replayed.result, replayed.events);
  }

  /** Deploys a source. Returns true if the complete source was deployed with the same effect as on chain. */
  #deploy(source: DeployedSource, index: number): boolean {
    const { contractId, block } = source;
    const token = this.#tokens.get(contractId);
    const firstScope = this.#request.firstScope ?? SCOPES[0];
    this.#onProgress({ step: index, ...(token === undefined ? {} : { scope: firstScope }) });
    this.#giveStx(contractId.slice(0, contractId.indexOf('.')));
    this.#enter(block);
    const later = this.#namesAfter(index);
    if (token === undefined)
      return isSame(source, this.#findBundled(index) ?? deployDependency(this.#session, source, later));
    const getters = token.reads.map(({ getter }) => getter);
    const onTrying = (scope: Scope) => this.#onProgress({ step: index, scope });
    const deployed =
      this.#findBundled(index) ?? deployToken(this.#session, source, getters, firstScope, later, onTrying);
    const [supply] =
      'sourceCode' in deployed
        ? readGetters(this.#session, contractId, parseSource(deployed.sourceCode), supplyOf(token))
        : [];
    this.#states.set(contractId, { deployed, supply });
    return isSame(source, deployed);
  }

  #findBundled(index: number): Deployed | undefined {
    const source = this.#request.steps[index] as DeployedSource;
    return findBundled(this.#session, source, () => this.#rewrite(source).sourceCode !== source.sourceCode);
  }

  /**
   * The names that occur in the sources after a deploy. Without calls, which may pass any contract, only sources that
   * name the deployed contract may use it.
   */
  #namesAfter(index: number): LaterNames {
    const { contractId } = this.#steps[index] as ChainStep;
    const suffix = contractId.slice(contractId.indexOf('.'));
    const read = () => {
      const names = new Set<string>();
      for (const step of this.#steps.slice(index + 1)) {
        if (isCall(step) || !(this.#hasCalls || step.sourceCode.includes(suffix))) continue;
        const sourceNames = this.#names.get(step) ?? namesIn(step.sourceCode);
        this.#names.set(step, sourceNames);
        for (const name of sourceNames) names.add(name);
      }
      return names;
    };
    return { read, onTooMany: () => this.#dependent.push(index) };
  }

  #giveStx(address: string): void {
    if (this.#hasStx && !this.#withStx.has(address)) this.#session.giveStx(address, STX_OF_SENDERS);
    this.#withStx.add(address);
  }

  #enter(block: BlockFacts): void {
    if (!this.#usesFacts) return;
    const key = JSON.stringify(block);
    if (key !== this.#facts) this.#session.enter(block);
    this.#facts = key;
  }

  #read(token: TokenReads): TokenResults | Failure {
    const state = this.#states.get(token.contractId);
    if (state === undefined) return fail('clarity-error');
    const { deployed, supply } = state;
    if ('refusal' in deployed) return fail('clarity-error', `The Clarity VM refuses the contract: ${deployed.refusal}`);
    const partial = deployed.events === undefined;
    const definitions = parseSource(deployed.sourceCode);
    const supplyAssets = supplyOf(token).length === 0 ? undefined : findSupplyAssets(definitions);
    const reads = token.reads.filter((read) => !supplyOf(token).includes(read));
    const results = readGetters(this.#session, token.contractId, definitions, reads);
    // A sum of minted and burned amounts replaces the supply in the VM. After a partial deploy, the VM's state never
    // existed on chain, so its supply is not used.
    if (supply !== undefined && supplyAssets === undefined)
      results.push(partial ? failedResult(SUPPLY, 'supply-not-known') : supply);
    return { results, partial, ...(supplyAssets === undefined ? {} : { supplyAssets }) };
  }
}

/** True if the complete source was deployed, with the same events as on chain. Does not compare unknown events. */
function isSame({ events }: DeployedSource, deployed: Deployed): boolean {
  if (!('events' in deployed) || deployed.events === undefined) return false;
  return events === undefined || Buffer.compare(events, digestVmEvents(deployed.events)) === 0;
}

/** Returns the read of a fungible token's supply, or an empty list. */
function supplyOf({ reads }: TokenReads): TokenReads['reads'] {
  return reads.filter(({ getter, tokenNumbers }) => getter === SUPPLY && tokenNumbers === undefined);
}
