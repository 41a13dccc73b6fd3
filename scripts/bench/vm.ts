// This script measures the evaluation of tokens: node scripts/bench/vm.ts [--quick] …
// In one run it times an index run over an archive of small tokens, the VM included, beside the bare VM that deploys
// and calls the same ones, one behind the other, in one process.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatCount } from '#text/format-count.ts';
import { TOKEN_INTERFACE } from '../../test/support/interfaces.ts';
import { tokenSource } from '../../test/support/vm-node.ts';
import { blockOfDeploys, unsignedDeploy } from '../unsigned-deploy.ts';
import { compare, report } from './figures.ts';
import { measure, stxpress } from './measure.ts';
import { readOptions, withFolder } from './options.ts';

const BARE_VM = fileURLToPath(new URL('./bare-vm.ts', import.meta.url));
const DEPLOYER = 'SP000000000000000000002Q6VF78';
const options = readOptions(process.argv.slice(2));
const tokens = options.isJudged ? 1_000 : 50;

await withFolder(options.temp, async (folder) => {
  const archive = join(folder, 'tokens.tsv');
  const contracts = Array.from({ length: tokens }, (_, index) => ({
    contractId: `${DEPLOYER}.token-${index}`,
    source: tokenSource({ 'get-name': `(ok "Token ${index}")` }),
  }));
  const deploys = contracts.map(({ contractId, source }, index) =>
    unsignedDeploy(contractId, source, index, TOKEN_INTERFACE),
  );
  writeFileSync(archive, blockOfDeploys(0, deploys));
  const list = join(folder, 'tokens.json');
  writeFileSync(list, JSON.stringify(contracts));

  const evaluation = {
    what: `VM evaluation of ${tokens} small tokens`,
    run: (round: number) => {
      const db = join(folder, String(round), 'index.sqlite');
      return stxpress('index', '--db', db, '--archive', archive, '--no-fetch');
    },
    baseline: 'the bare VM',
    runBaseline: () => measure(process.execPath, [BARE_VM, list]),
    target: { times: 1.3 },
  };
  const figure = await compare(evaluation, Math.min(options.rounds, 3));
  report('vm', `${formatCount(tokens)} tokens of five getters`, [{ ...figure, maxPeakMb: 700 }], options);
});
