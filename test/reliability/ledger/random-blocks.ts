// Makes random blocks on short forks, with deploys, supply changes, token events and notifications.
import type { BlockEvent, ChainEvent, ContractDeploy, TokenEvent } from '#model/chain-event.ts';
import type { Random } from '../../support/random.ts';
import { hashOf } from '../../support/transactions.ts';
import { DEPLOYER, IDS, kindOf, NAMES, sourceOf, txIdOf } from './few-contracts.ts';

interface Block {
  readonly hash: string;
  readonly height: number;
}

export class RandomBlocks {
  readonly #random: Random;
  readonly #blocks: Block[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  get highest(): Block | undefined {
    const [first, ...later] = this.#blocks;
    return first && later.reduce((highest, block) => (block.height > highest.height ? block : highest), first);
  }

  microblocks(): ChainEvent {
    const parent = this.#random.pick(this.#blocks);
    const deploys = [this.deploy()];
    return { kind: 'microblocks', burnBlockHeight: 850_000, parentIndexBlockHash: parent.hash, deploys, failures: [] };
  }

  /**
   * Returns a block on top of one of the latest blocks, so that short forks are frequent. Some blocks repeat, and some
   * have no known parent.
   */
  block(on?: Block): BlockEvent {
    const random = this.#random;
    const recent = this.#blocks.slice(-6);
    const parent = on ?? (recent.length === 0 || random.chance(0.03) ? undefined : random.pick(recent));
    const height = (parent?.height ?? random.below(3)) + 1;
    const hash = hashOf(`block ${random.chance(0.05) ? this.#blocks.length - 1 : this.#blocks.length}`);
    this.#blocks.push({ hash, height });
    return {
      kind: 'block',
      indexBlockHash: hash,
      parentIndexBlockHash: parent?.hash ?? hashOf(`missing ${height}`),
      height,
      burnBlockHeight: random.pick([700_000, 850_000, 870_000]),
      burnBlockTime: 1_700_000_000 + height,
      deploys: random.list(3, () => this.deploy()),
      calls: new Uint8Array(),
      tokenEvents: random.chance(0.5) ? random.list(40, () => this.#tokenEvent()) : [],
      supplyChanges: random.chance(0.5)
        ? [{ assetIdentifier: `${random.pick(IDS)}::coin`, amount: BigInt(random.pick([-7, 1, 10, 1_000])) }]
        : [],
      notifications: random.chance(0.2)
        ? [
            {
              tokenClass: 'ft',
              contractId: random.pick(IDS),
              updateMode: random.pick(['standard', 'frozen', 'dynamic'] as const),
              ttlSeconds: 60,
              txId: hashOf(`notification ${this.#blocks.length}`),
              eventIndex: 0,
              emitter: random.pick(IDS),
              entitled: true,
            },
          ]
        : [],
      failures: [],
    };
  }

  #tokenEvent(): TokenEvent {
    const random = this.#random;
    const [minted, burned] = random.pick([
      [true, false],
      [true, true],
      [false, true],
    ] as const);
    const contractId = `${DEPLOYER}.${random.pick(['c', 'n', 'd'])}`;
    return { contractId, tokenNumber: String(random.below(90)), minted, burned, isOfOwner: random.chance(0.1) };
  }

  /**
   * Returns one of a few deploys, so that blocks often repeat a deploy. In half of the cases the interface is missing.
   */
  deploy(): ContractDeploy {
    const random = this.#random;
    const name = random.pick(NAMES);
    // Blocks lack the transaction of contract `b` with nonce 0, so a later report with it replaces the source of `b`.
    const nonce = name === 'b' ? random.within(1, 2) : random.below(3);
    const { standard, json } = kindOf(name, nonce);
    const knowsInterface = random.chance(0.5);
    return {
      contractId: `${DEPLOYER}.${name}`,
      txId: txIdOf(name, nonce),
      txIndex: random.below(3),
      senderAddress: DEPLOYER,
      ...(nonce === 2 ? {} : { wireClarityVersion: 2 }),
      ...sourceOf(name, nonce, knowsInterface ? json : undefined),
      interfaceFacts: knowsInterface ? { standard, epoch: undefined, clarityVersion: undefined } : undefined,
    };
  }
}
