// Runs the steps of programs on a chain of the Clarity VM's simnet, and records each block as a node would post it.
// Also calls getters at the tip, to get the expected values.
import { Cl, type ClarityValue } from '@stacks/transactions';
import { openSimnet, type SdkEvent, type Simnet } from '../../support/simnet.ts';
import { callPayload, deployPayload, type Encoded, encode, valueBytes } from '../../support/transactions.ts';
import { accountAddress, BOOT, CHAIN_IDS, type Network } from './accounts.ts';
import { aborted, type ChainBlock, called, type Executed, payloadOf, type Slot, succeeded } from './observed-block.ts';
import type { Call, Deploy, Fork, Mine, Step, Transaction } from './program.ts';
import { type Truth, truthOf } from './read-truth.ts';
import { Tenures } from './tenures.ts';

const DEFAULT_CLARITY = 3;
/** Thrown if a block of several transactions fails in the simnet, which then leaves its block unfinished. */
export class CannotRun extends Error {}

/** The simnet of all chains. Opening a chain resets it, so only one can be open. */
let simnet: Simnet | undefined;

export class SimnetChain {
  readonly network: Network;
  readonly #simnet: Simnet;
  readonly blocks: ChainBlock[] = [];
  #interfaces: ReturnType<Simnet['getContractsInterfaces']> | undefined;
  readonly #same = new Map<string, Encoded>();
  #nonce = 0;
  #height = 0;
  readonly #tenures: Tenures;
  #forks = 0;
  #probes = 0;

  private constructor(simnet: Simnet, network: Network) {
    this.#simnet = simnet;
    this.network = network;
    this.#tenures = new Tenures(network, simnet.burnBlockHeight);
  }

  static async open(network: Network = 'testnet', epoch = '3.3'): Promise<SimnetChain> {
    simnet = await openSimnet(epoch, simnet);
    const chain = new SimnetChain(simnet, network);
    chain.#seal([]);
    return chain;
  }

  address(program: string, account: string): string {
    return accountAddress(`${program} ${account}`, this.network);
  }

  contractId(program: string, contract: string): string {
    return contract.includes('.') ? contract : `${this.address(program, 'deployer')}.${contract}`;
  }

  run(program: string, step: Step): void {
    const run = step.run ?? 0;
    if ('epoch' in step && Number(step.epoch) <= Number(this.#simnet.currentEpoch)) return;
    if ('mine' in step) this.mine(step, run);
    else if ('epoch' in step) this.#simnet.setEpoch(step.epoch as '3.0');
    else if ('fund' in step) this.#simnet.mintSTX(this.address(program, step.fund), step.amount);
    else if ('fork' in step) this.#addFork(program, step, run);
    else if ('block' in step) this.#runInOneBlock(program, step.block, run);
    else {
      const executed = 'deploy' in step ? this.#deploy(program, step) : this.#call(program, step);
      this.#seal([executed], run);
    }
  }

  mine({ mine, count }: Mine, run: number | 'never' = 0): void {
    for (let at = 0; at < count; at++) {
      // Until epoch 3.0, each Stacks block has its own burn block.
      const hasTenures = Number(this.#simnet.currentEpoch) >= 3;
      if (mine === 'stacks' && hasTenures) this.#simnet.mineEmptyStacksBlock();
      else this.#simnet.mineEmptyBurnBlock();
      if (mine === 'extend' && hasTenures) this.#tenures.extend();
      this.#seal([], run);
    }
  }

  #deploy(program: string, step: Deploy): Executed {
    const encoded = this.#encode(program, step);
    const address = this.address(program, step.by ?? 'deployer');
    if (step.by === BOOT) {
      this.#simnet.mineEmptyStacksBlock();
      return { deployed: `${address}.${step.deploy}`, transaction: succeeded(encoded), events: [] };
    }
    try {
      const options = { clarityVersion: (step.clarity ?? DEFAULT_CLARITY) as 3 };
      const source = this.#fill(program, step.source);
      const { events } = this.#simnet.deployContract(step.deploy, source, options, address);
      return this.#deployed(program, step, encoded, events);
    } catch (error) {
      if (typeof error !== 'string') throw error;
      return aborted(encoded);
    }
  }

  #deployed(program: string, step: Deploy, encoded: Encoded, events: readonly SdkEvent[]): Executed {
    const contractId = this.#idOf(program, { ...step, like: step.deploy });
    const transaction = succeeded(encoded, step.isBare === true ? {} : { interfaceOf: contractId });
    return { deployed: contractId, transaction, events };
  }

  #call(program: string, step: Call): Executed {
    const encoded = this.#encode(program, step);
    if (step.isAborted === true) return aborted(encoded, 'post_condition');
    const { contractId, functionName, args, sender } = this.#callee(program, step);
    try {
      return called(encoded, this.#simnet.callPublicFn(contractId, functionName, args, sender));
    } catch (error) {
      if (typeof error !== 'string') throw error;
      return aborted(encoded);
    }
  }

  /** Runs transactions in one block. Throws {@link CannotRun} if the simnet refuses a transaction. */
  #runInOneBlock(program: string, transactions: readonly Transaction[], run: number | 'never'): void {
    const encoded = transactions.map((step) => this.#encode(program, step));
    const inputs = transactions.map((step) => {
      if ('deploy' in step) {
        const { deploy: name, clarity = DEFAULT_CLARITY, by = 'deployer' } = step;
        const options = { clarityVersion: clarity as 3 };
        const content = this.#fill(program, step.source);
        return { deployContract: { name, content, options, sender: this.address(program, by) } };
      }
      const { contractId, functionName, args, sender } = this.#callee(program, step);
      return { callPublicFn: { contract: contractId, method: functionName, args, sender } };
    });
    let results: { result: ClarityValue; events: SdkEvent[] }[];
    try {
      results = this.#simnet.mineBlock(inputs as never);
    } catch (error) {
      if (typeof error !== 'string') throw error;
      throw new CannotRun(error);
    }
    const executed = transactions.map((step, index) => {
      const [wire, result] = [encoded[index] as Encoded, results[index] as (typeof results)[number]];
      return 'deploy' in step ? this.#deployed(program, step, wire, result.events) : called(wire, result);
    });
    this.#seal(executed, run);
  }

  /** Adds an orphaned branch. Its deploys get the interface of the canonical contract with the same id, if any. */
  #addFork(program: string, { fork }: Fork, run: number | 'never'): void {
    const name = `fork ${this.#forks++}`;
    const base = this.#height;
    for (const [index, transactions] of fork.entries()) {
      const height = base + index + 1;
      const executed = transactions.map((step): Executed => {
        const transaction = succeeded(this.#encode(program, step));
        return {
          transaction: 'deploy' in step ? { ...transaction, interfaceOf: this.#idOf(program, step) } : transaction,
          events: [],
        };
      });
      const parent = index === 0 ? base : `${name} ${height - 1}`;
      this.#push({ id: `${name} ${height}`, parent, height }, executed, run, true);
    }
  }

  #idOf(program: string, { deploy, like = deploy, by = 'deployer' }: Deploy): string {
    return `${this.address(program, by)}.${like}`;
  }

  #callee(program: string, { call, args = [], by = 'deployer' }: Call) {
    const [contract = '', functionName = ''] = call.split(' ');
    const deployer = this.address(program, 'deployer');
    const values = args.map((arg) =>
      Cl.parse(this.#fill(program, arg).replaceAll(/(^|[\s({])\.([a-z])/g, `$1'${deployer}.$2`)),
    );
    const contractId = this.contractId(program, contract);
    return { contractId, functionName, args: values, sender: this.address(program, by) };
  }

  #fill(program: string, text: string): string {
    return text.replaceAll(/\{(@\w+)\}/g, (_, name: string) => this.address(program, name.slice(1)));
  }

  #encode(program: string, step: Transaction): Encoded {
    if (step.same === undefined) return this.#encodeNew(program, step);
    const label = `${program} ${step.same}`;
    const encoded = this.#same.get(label) ?? this.#encodeNew(program, step);
    this.#same.set(label, encoded);
    return encoded;
  }

  #encodeNew(program: string, step: Transaction): Encoded {
    const by = this.address(program, step.by ?? 'deployer');
    const origin = { by, chainId: CHAIN_IDS[this.network], nonce: this.#nonce++ };
    if ('deploy' in step) {
      const bootSource = step.by === BOOT ? this.#simnet.getContractSource(`${by}.${step.deploy}`) : undefined;
      const clarity = step.isBare === true ? step.clarity : (step.clarity ?? DEFAULT_CLARITY);
      const source = bootSource ?? this.#fill(program, step.source);
      return encode(deployPayload(step.deploy, source, clarity), origin);
    }
    const sponsor = step.sponsor === undefined ? undefined : this.address(program, step.sponsor);
    const { contractId, functionName, args } = this.#callee(program, step);
    return encode(callPayload(contractId, functionName, ...args.map(valueBytes)), { ...origin, sponsor });
  }

  /** Records the blocks mined since the last call. The newest block has the transactions, the others are empty. */
  #seal(executed: readonly Executed[], run: number | 'never' = 0): void {
    const { blockHeight } = this.#simnet;
    // The simnet mines no block for a call of a function that is not public.
    while (this.#height < blockHeight) {
      const height = this.#height + 1;
      const isLast = height === blockHeight;
      this.#push({ id: height, parent: height - 1, height }, isLast ? executed : [], run, false);
      this.#height = height;
    }
  }

  #push(slot: Slot, executed: readonly Executed[], run: ChainBlock['run'], isOrphan: boolean): void {
    const { burnBlockHeight } = this.#simnet;
    const time = Number(this.#simnet.getBlockTime());
    const changes = isOrphan ? [] : this.#tenures.see(burnBlockHeight, time);
    const timed = { ...slot, ...this.#tenures.present, tenureHeight: burnBlockHeight, time };
    const payload = payloadOf(this.network, timed, [...changes, ...executed]);
    const contracts = executed.flatMap(({ deployed }) => deployed ?? []);
    if (contracts.length > 0) this.#interfaces = undefined;
    this.blocks.push({ payload, height: slot.height, isOrphan, run, contracts });
  }

  /** Returns the interface of a contract; null if no canonical block deploys it. */
  interfaceOf(contractId: string): unknown {
    this.#interfaces ??= this.#simnet.getContractsInterfaces();
    return this.#interfaces.get(contractId) ?? null;
  }

  /** True if a contract uses `contract-caller`. {@link read} then calls its public getters directly. */
  seesCaller(contractId: string): boolean {
    return this.#simnet.getContractSource(contractId)?.includes('contract-caller') === true;
  }

  /** Calls a getter at the tip, as the deployer. Rolls back effects of public getters unless {@link seesCaller}. */
  read(contractId: string, getter: string, args: readonly ClarityValue[], isPublic: boolean): Truth {
    const [deployer = ''] = contractId.split('.');
    try {
      if (!isPublic) return truthOf(this.#simnet.callReadOnlyFn(contractId, getter, [...args], deployer).result);
      if (this.seesCaller(contractId))
        return truthOf(this.#simnet.callPublicFn(contractId, getter, [...args], deployer).result);
      const probe = `${deployer}.probe-${this.#probes++}`;
      const literals = args.map((arg) => Cl.stringify(arg)).join(' ');
      const source = `(define-public (ask) (err (contract-call? '${contractId} ${getter} ${literals})))`;
      // Clarity 1 is used because every epoch supports it.
      this.#simnet.deployContract(probe.split('.')[1] as string, source, { clarityVersion: 1 }, deployer);
      const { result } = this.#simnet.callPublicFn(probe, 'ask', [], deployer);
      return truthOf(result.type === 'err' ? result.value : result);
    } catch (error) {
      if (typeof error !== 'string') throw error;
      return { kind: 'refused' };
    } finally {
      this.#seal([]);
    }
  }
}
