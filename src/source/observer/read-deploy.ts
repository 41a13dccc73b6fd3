// Reads a deploy from a transaction of a payload: its source, its interface, and what they show.
import { encodeAddress } from '#clarity/address.ts';
import type { DecodedDeploy, DecodedTransaction } from '#clarity/decode-transaction.ts';
import { findNames } from '#clarity/find-names.ts';
import type { ContractDeploy } from '#model/chain-event.ts';
import { type ContractInterface, parseInterface } from '#model/contract-interface.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { packCode } from '#model/packed-code.ts';
import { isContractId } from '#model/principal.ts';
import { readInterfaceFacts } from '#standards/classify-contract.ts';
import { classifySource, hasDefinitions } from '#standards/source-interface.ts';
import { parseJson } from '#text/parse-json.ts';
import type { ObservedTransaction } from './parse-payload.ts';

/** `seedDigests`: the digests of the deploy's events in a seed: hex, or null if they are unknown. */
export type ReadDeploy = Omit<ContractDeploy, 'events'> & { readonly seedDigests: unknown };

interface Place {
  readonly txId: string;
  readonly txIndex: number;
  /** True if the deploy is in a seed, whose interfaces are compared with their sources. */
  readonly isSeed: boolean;
  /** Records a failure that does not exclude the deploy. */
  readonly fail: (failure: Failure) => void;
}

export function readDeploy(
  { json, hasOwnId }: ObservedTransaction,
  { origin }: DecodedTransaction,
  deploy: DecodedDeploy,
  { txId, txIndex, isSeed, fail: report }: Place,
): ReadDeploy | Failure {
  if (!hasOwnId) return fail('txid-mismatch');
  const senderAddress = encodeAddress(origin);
  const contractId = `${senderAddress}.${deploy.contractName}`;
  if (!isContractId(contractId)) return fail('contract-id-invalid');
  const value = json.contract_interface ?? json.contract_abi;
  const source = deploy.source.toString();
  let contractInterface = readInterface(value, report);
  if (isSeed && contractInterface !== undefined && !hasDefinitions(contractInterface, source)) {
    const problem = `The seed has an interface of ${contractId} that its source contradicts. It is not used.`;
    report(fail('interface-invalid', problem));
    contractInterface = undefined;
  }
  return {
    contractId,
    txId,
    txIndex,
    senderAddress,
    ...(deploy.clarityVersion === undefined ? {} : { wireClarityVersion: deploy.clarityVersion }),
    references: findNames(deploy.source, senderAddress),
    code: packCode(deploy.source, contractInterface && JSON.stringify(contractInterface)),
    interfaceFacts: contractInterface && readInterfaceFacts(contractInterface),
    ...(contractInterface === undefined ? { sourceStandard: classifySource(source) } : {}),
    seedDigests: json.event_digests,
  };
}

/** Reads an interface. Observers send it under one of two names, as an object or as text, or omit it. */
function readInterface(value: unknown, report: Place['fail']): ContractInterface | undefined {
  if (value === undefined || value === null) return undefined;
  const parsed = parseInterface(typeof value === 'string' ? parseJson(value) : value);
  if (isFailure(parsed)) {
    report(parsed);
    return undefined;
  }
  const { unlistedTypes } = parsed;
  if (unlistedTypes.length > 0) {
    const some = unlistedTypes.slice(0, 3).map((name) => JSON.stringify(name.slice(0, 40)));
    const problem = `${unlistedTypes.length} types that this version does not know: ${some.join(', ')}`;
    report(fail('interface-unlisted-type', `The contract interface contains ${problem}.`));
  }
  return parsed.interface;
}
