// This script checks interfaces of real contracts: node test/real-data/check-interfaces.ts FOLDER
// Each interface in FOLDER/mainnet/contracts.ndjson.gz must be kept as it is, and its contract get the right standard.
import { isDeepStrictEqual } from 'node:util';
import { parseInterface } from '#model/contract-interface.ts';
import { isFailure } from '#model/failure.ts';
import { classifyContract } from '#standards/classify-contract.ts';
import { runChecks } from './checks.ts';
import { CONTRACTS_FILE, readRealContracts } from './real-contracts.ts';

await runChecks('check-interfaces.ts FOLDER', CONTRACTS_FILE, async ({ given, check }) => {
  for (const { contract_id, standard, interface: json } of readRealContracts(given)) {
    const parsed = parseInterface(json);
    if (isFailure(parsed)) {
      check(`${contract_id}: its interface can be read`, false, parsed.message);
      continue;
    }
    check(`${contract_id}: its interface is kept`, isDeepStrictEqual(parsed.interface, json));
    const own = classifyContract(parsed.interface) ?? null;
    check(`${contract_id}: its standard`, own === standard, `${own} instead of ${standard}`);
  }
});
