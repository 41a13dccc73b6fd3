// Checks that parsing does not change the interfaces of FOLDER/mainnet/contracts.ndjson.gz, and finds their standards.
// Usage: node test/real-data/check-interfaces.ts FOLDER
import { isDeepStrictEqual } from 'node:util';
import { parseInterface } from '#model/contract-interface.ts';
import { isFailure } from '#model/failure.ts';
import { classifyContract } from '#standards/classify-contract.ts';
import { runChecks } from './checks.ts';
import { CONTRACTS_FILE, readRealContracts } from './real-contracts.ts';

await runChecks('check-interfaces.ts FOLDER', CONTRACTS_FILE, async ({ input, check }) => {
  for (const { contract_id, standard, interface: json } of readRealContracts(input)) {
    const parsed = parseInterface(json);
    if (isFailure(parsed)) {
      check(`${contract_id}: has a valid interface`, false, parsed.message);
      continue;
    }
    check(`${contract_id}: has an unchanged interface`, isDeepStrictEqual(parsed.interface, json));
    const found = classifyContract(parsed.interface) ?? null;
    check(`${contract_id}: has the right standard`, found === standard, `${found} instead of ${standard}`);
  }
});
