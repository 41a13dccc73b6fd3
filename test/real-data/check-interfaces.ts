// This script checks interfaces of real contracts: node test/real-data/check-interfaces.ts FOLDER
// Each interface in FOLDER/mainnet/contracts.ndjson.gz must be kept as it is, and its contract get the right standard.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseInterface } from '#model/contract-interface.ts';
import { isFailure } from '#model/failure.ts';
import { classifyContract } from '#standards/classify-contract.ts';
import { countChecks } from './count-checks.ts';
import { CONTRACTS_FILE, readRealContracts } from './real-contracts.ts';

const path = join(process.argv[2] ?? '', CONTRACTS_FILE);
if (!existsSync(path)) {
  console.error(`usage: node test/real-data/check-interfaces.ts FOLDER, a folder with ${CONTRACTS_FILE} in it`);
  process.exit(1);
}

const { check, finish } = countChecks();
for (const { contract_id, standard, interface: json } of readRealContracts(path)) {
  const parsed = parseInterface(json);
  if (isFailure(parsed)) {
    check(`${contract_id}: its interface can be read`, false, parsed.message);
    continue;
  }
  check(`${contract_id}: its interface is kept`, isDeepStrictEqual(parsed.interface, json));
  const given = classifyContract(parsed.interface) ?? null;
  check(`${contract_id}: its standard`, given === standard, `${given} instead of ${standard}`);
}
finish();
