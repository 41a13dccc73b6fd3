// A baseline: deploys tokens in one session of the Clarity VM and calls their getters, nothing else. Usage: node
// scripts/bench/bare-vm.ts FILE
import { readFileSync } from 'node:fs';
import { getSDK } from '@stacks/clarinet-sdk';
import { TOKEN_GETTERS } from '#model/token.ts';

const contracts = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as { contractId: string; source: string }[];
const simnet = await getSDK();
await simnet.initEmptySession({ enabled: false });
simnet.setEpoch('2.5');
let answers = 0;
for (const { contractId, source } of contracts) {
  const [address = '', name = ''] = contractId.split('.');
  simnet.deployContract(name, source, { clarityVersion: 2 }, address);
  for (const getter of TOKEN_GETTERS) {
    simnet.callReadOnlyFn(contractId, getter, [], address);
    answers++;
  }
}
console.log(answers);
