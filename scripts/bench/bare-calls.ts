// A baseline: deploys tokens in one session of the Clarity VM and makes calls of each, nothing else. Usage: node
// scripts/bench/bare-calls.ts FILE
import { readFileSync } from 'node:fs';
import { getSDK } from '@stacks/clarinet-sdk';
import { Cl } from '@stacks/transactions';

const { contracts, calls } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as {
  contracts: { contractId: string; source: string }[];
  calls: number;
};
const simnet = await getSDK();
await simnet.initEmptySession({ enabled: false });
simnet.setEpoch('2.5');
for (const { contractId, source } of contracts) {
  const [address = '', name = ''] = contractId.split('.');
  simnet.deployContract(name, source, { clarityVersion: 2 }, address);
}
for (let number = 0; number < calls; number++) {
  const { contractId = '' } = contracts[number % contracts.length] ?? {};
  simnet.callPublicFn(contractId, 'set-uri', [Cl.stringAscii(`uri:${number}`)], contractId.split('.')[0] ?? '');
}
console.log(calls);
