// This script measures the replay of calls in the VM: node scripts/bench/calls.ts [--quick] …
// In one run it times the evaluation of tokens that calls have changed many times, beside the bare VM that deploys the
// same tokens and makes the same calls.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatCount } from '#text/format-count.ts';
import { TOKEN_INTERFACE } from '../../test/support/interfaces.ts';
import { tokenSource } from '../../test/support/vm-node.ts';
import { blockOfDeploys, unsignedDeploy } from '../unsigned-deploy.ts';
import { addressBytes, shortText, u32, unsignedTransaction } from '../unsigned-transaction.ts';
import { compare, report } from './figures.ts';
import { measure, stxpress } from './measure.ts';
import { text } from './observed-value.ts';
import { readOptions, withFolder } from './options.ts';

const BARE_CALLS = fileURLToPath(new URL('./bare-calls.ts', import.meta.url));
const DEPLOYER = 'SP000000000000000000002Q6VF78';
const SETTER = '(define-public (set-uri (new (string-ascii 64))) (ok (var-set uri (some new))))';
const CALLS_PER_BLOCK = 1_000;
const options = readOptions(process.argv.slice(2));
const tokens = options.isJudged ? 20 : 2;
const calls = options.isJudged ? 100_000 : 1_000;

await withFolder(options.temp, async (folder) => {
  const contracts = Array.from({ length: tokens }, (_, index) => ({
    contractId: `${DEPLOYER}.token-${index}`,
    source:
      `(define-data-var uri (optional (string-ascii 64)) none)\n${SETTER}\n` +
      tokenSource({ 'get-name': `(ok "Token ${index}")`, 'get-token-uri': '(ok (var-get uri))' }),
  }));
  const deploys = contracts.map(({ contractId, source }, index) =>
    unsignedDeploy(contractId, source, index, TOKEN_INTERFACE),
  );
  const lines = [blockOfDeploys(0, deploys)];
  for (let start = 0; start < calls; start += CALLS_PER_BLOCK) {
    const transactions = Array.from({ length: CALLS_PER_BLOCK }, (_, index) => callOf(start + index, index));
    lines.push(blockOfDeploys(lines.length, transactions));
  }
  const archive = join(folder, 'calls.tsv');
  writeFileSync(archive, lines.join(''));
  const list = join(folder, 'tokens.json');
  writeFileSync(list, JSON.stringify({ contracts, calls }));

  const replay = {
    what: `replay of ${formatCount(calls)} calls in the VM`,
    run: async (round: number) => {
      const db = join(folder, String(round), 'index.sqlite');
      await stxpress('index', '--db', db, '--archive', archive, '--no-vm', '--no-fetch');
      return stxpress('index', '--db', db, '--no-fetch');
    },
    baseline: 'the bare VM',
    runBaseline: () => measure(process.execPath, [BARE_CALLS, list]),
    target: { times: 1.3 },
  };
  const figure = await compare(replay, Math.min(options.rounds, 3));
  report('calls', `${formatCount(tokens)} tokens that calls change`, [{ ...figure, maxPeakMb: 700 }], options);
});

/** As the observer stores it: `(ok true)` is what it returned. */
function callOf(number: number, index: number) {
  const payload = Buffer.concat([
    Buffer.from([2]),
    addressBytes(DEPLOYER),
    shortText(`token-${number % tokens}`),
    shortText('set-uri'),
    u32(1),
    text(`uri:${number}`).bytes,
  ]);
  const { txid, raw_tx } = unsignedTransaction(DEPLOYER, payload);
  return { txid, raw_tx, status: 'success' as const, tx_index: index, raw_result: '0x0703', contract_interface: null };
}
