// Reads facts about a contract from its interface.
import type { InterfaceFacts } from '#model/chain-event.ts';
import { type ContractInterface, clarityVersionOf } from '#model/contract-interface.ts';
import { classifyContract } from './classify-contract.ts';

export function readInterfaceFacts(contractInterface: ContractInterface): InterfaceFacts {
  return {
    standard: classifyContract(contractInterface),
    epoch: contractInterface.epoch,
    clarityVersion: clarityVersionOf(contractInterface),
  };
}
