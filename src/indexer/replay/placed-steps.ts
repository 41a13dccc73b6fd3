// Types of deploys and calls with their positions on the canonical chain and their effects.
import type { ServedContract } from '#store/contracts/contracts.ts';
import type { CanonicalCall } from '#store/replay/calls.ts';
import type { DeployedSource, ReplayedCall } from '#vm/messages.ts';
import type { KnownHeights } from './block-facts.ts';
import type { TransitiveEffects } from './transitive-effects.ts';
import type { VmEpoch } from './vm-rules.ts';

/** Position of a transaction on the canonical chain. */
export interface Place {
  readonly blockHeight: number;
  readonly txIndex: number;
}

export interface PlacedDeploy extends Place, Pick<VmEpoch, 'isExact'> {
  readonly contract: ServedContract;
  readonly step: DeployedSource;
  /** The effects of the code that runs when the contract is deployed. */
  readonly effects: TransitiveEffects;
  /** Ids of the contracts that the source refers to. */
  readonly references: readonly string[];
  /** The number of expressions in the source: atoms, strings and groups. */
  readonly expressions: number;
  /** The heights at the deploy that the archive contains. */
  readonly knownHeights: KnownHeights;
}

export interface PlacedCall extends Place {
  readonly call: Pick<CanonicalCall, 'txId' | 'blockId' | 'shapeId'>;
  /** Without arguments, which may have megabytes. They are read when the call is replayed. */
  readonly step: Omit<ReplayedCall, 'args'>;
  readonly argumentBytes: number;
  readonly effects: TransitiveEffects;
  /** The heights at the call that the archive contains. */
  readonly knownHeights: KnownHeights;
}
