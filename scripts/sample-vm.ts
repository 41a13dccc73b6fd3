// Runs deploys and calls of the sample chain in the Clarity VM. Returns their signed transactions in the form that an
// observer stores.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  Cl,
  type ClarityValue,
  deserializeTransaction,
  getAddressFromPrivateKey,
  TransactionSigner,
} from '@stacks/transactions';
import { SAMPLE_CHAIN_ID } from '#model/chain.ts';
import { openSimnet, toEvent } from '../test/support/simnet.ts';
import {
  callPayload,
  deployPayload,
  encode,
  encoded,
  type Json,
  transactionJson,
  valueBytes,
} from '../test/support/transactions.ts';

const CONTRACTS = new URL('../data/sample/contracts/', import.meta.url);

/** Returns an account of the sample, with a key derived from its name. */
const account = (name: string) => {
  const privateKey = `${hash('sha256', `stxpress sample account ${name}`)}01`;
  return { privateKey, address: getAddressFromPrivateKey(privateKey, 'testnet'), nonce: 0n };
};
type Account = ReturnType<typeof account>;
export const MINER = account('miner');
export const PRESSER = account('presser');
export const COLLECTOR = account('collector');

/**
 * The epochs and Clarity versions of deploys: `OLD` for deploys without a version, and `NEW` for deploys with a
 * version.
 */
export const OLD = { epoch: '2.05', clarityVersion: 1 } as const;
export const NEW = { epoch: '2.4', clarityVersion: 2 } as const;
type Age = typeof OLD | typeof NEW;

export interface Executed {
  readonly transaction: Json;
  readonly events: Json[];
}

/** Returns a signed, successful transaction as an observer stores it. `fields` replaces some of its fields. */
export function transactionOf(sender: Account, payload: Uint8Array, fields: Json = {}): Json {
  const origin = { by: sender.address, chainId: SAMPLE_CHAIN_ID, nonce: sender.nonce++, fee: 1_000 };
  const wire = deserializeTransaction(encode(payload, origin).raw_tx);
  new TransactionSigner(wire).signOrigin(sender.privateKey);
  return transactionJson(payload, origin, {
    ...encoded(wire.serializeBytes()),
    execution_cost: { runtime: 0, read_count: 0, read_length: 0, write_count: 0, write_length: 0 },
    microblock_hash: null,
    microblock_sequence: null,
    microblock_parent_hash: null,
    ...fields,
  });
}

/** Opens a new chain in the VM. Returns functions that run transactions on it. */
export async function openChain() {
  const simnet = await openSimnet(OLD.epoch);
  for (const { address } of [PRESSER, COLLECTOR]) simnet.mintSTX(address, 1_000_000n);
  return {
    /** Deploys contracts/<file>.clar. `fails` is true if the VM must reject it. */
    deploy(sender: Account, file: string, age: Age, { name = file, fails = false } = {}): Executed {
      const source = readFileSync(new URL(`${file}.clar`, CONTRACTS), 'utf8');
      const payload = deployPayload(name, source, age === OLD ? undefined : age.clarityVersion);
      simnet.setEpoch(age.epoch);
      const { clarityVersion } = age;
      const run = () => simnet.deployContract(name, source, { clarityVersion }, sender.address);
      if (fails) {
        assert.throws(run);
        const failed = { status: 'abort_by_response', raw_result: '0x0809' };
        return { transaction: transactionOf(sender, payload, failed), events: [] };
      }
      const { events } = run();
      const contractInterface = simnet.getContractsInterfaces().get(`${sender.address}.${name}`);
      // In old events, the interface has the name contract_abi.
      const key = age === OLD ? 'contract_abi' : 'contract_interface';
      const fields = { contract_interface: undefined, [key]: contractInterface };
      const transaction = transactionOf(sender, payload, fields);
      return { transaction, events: events.map((event) => toEvent(transaction.txid, event)) };
    },

    /**
     * Calls a function. `returned` replaces the result of the VM if the result depends on burn blocks, which differ in
     * the sample.
     */
    call(sender: Account, contract: string, method: string, args: ClarityValue[], returned?: ClarityValue): Executed {
      const called = simnet.callPublicFn(contract, method, args, sender.address);
      const result = returned ?? called.result;
      const succeeded = result.type === 'ok';
      const transaction = transactionOf(sender, callPayload(contract, method, ...args.map(valueBytes)), {
        status: succeeded ? 'success' : 'abort_by_response',
        raw_result: `0x${Cl.serialize(result)}`,
      });
      return { transaction, events: succeeded ? called.events.map((event) => toEvent(transaction.txid, event)) : [] };
    },
  };
}
