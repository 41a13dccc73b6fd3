// Tests the real command with pipes, closed output streams and signals.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  ENTRY,
  endOf,
  okOf,
  runCli,
  runWarm,
  spawnCli,
  statusOf,
  untilIndexing,
  untilPrinted,
} from '../support/run-cli.ts';
import { SAMPLE, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockLine, callJson } from '../support/transactions.ts';

const { contracts: CONTRACTS, tokens: TOKENS, collections: COLLECTIONS } = SAMPLE;
const INDEX_WITHOUT_VM = ['index', '--no-vm', '--offline'];

test('quotes the commands in messages for a shell', async () => {
  const cwd = tempFolder();
  const orphan = blockLine({ id: 1, parent: 7, height: 8, transactions: [callJson()] });
  writeFileSync(join(cwd, 'gap.tsv'), orphan);
  const args = [...INDEX_WITHOUT_VM, '--db', "it's mine.sqlite", '--archive', 'gap.tsv'];
  const { stdout } = await runWarm(args, { cwd });
  const [, flags] = /^1 failure in the chain data, see: npm run status -- (.*)$/m.exec(stdout) ?? [];
  const pasted = spawnSync('sh', ['-c', `printf '%s\n' ${flags}`], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n');
  expect(okOf(await runWarm(['status', ...pasted], { cwd }))).toContain("Index      it's mine.sqlite");
});

test('reads an archive from standard input', async () => {
  const cwd = tempFolder();
  const input = gzipSync(readFileSync(SAMPLE_ARCHIVE));
  const indexed = await runCli([...INDEX_WITHOUT_VM, '--archive', '-'], { cwd, input });
  expect(okOf(indexed)).toContain(`Indexed ${CONTRACTS} deploys in 9 new blocks`);
  const again = await runWarm([...INDEX_WITHOUT_VM, '--archive', SAMPLE_ARCHIVE], { cwd });
  expect(again.stderr).toContain('indexed up to line 19 already');
  const left = `token evaluations: ${TOKENS + COLLECTIONS} left (--no-vm)`;
  expect([again.status, again.stdout]).toEqual([0, `${left}\nNo response changed.\nThe index is data/index.sqlite.\n`]);
});

test('announces an interrupt, stops after the work in progress, and resumes later', async () => {
  const cwd = tempFolder();
  const lines = readFileSync(SAMPLE_ARCHIVE, 'utf8').split(/(?<=\n)/);
  const run = spawnCli([...INDEX_WITHOUT_VM, '--archive', '-'], { cwd });
  const ended = endOf(run);
  run.stdin?.write(lines.slice(0, -1).join(''));
  await untilIndexing(cwd);
  const announced = untilPrinted(run.stderr, /Interrupt again/);
  run.kill('SIGINT');
  await announced;
  run.stdin?.end();
  expect(await ended).toMatchObject({ status: 75, stdout: expect.stringContaining('Interrupted') });
  expect((await runWarm(['status'], { cwd })).stdout).toContain(
    `Archive    standard input was read up to line 18 (byte ${lines.slice(0, -1).join('').length.toLocaleString('en')}), not to its end.
           Continue with: npm run index -- --archive -
`,
  );
  expect(await runWarm([...INDEX_WITHOUT_VM, '--archive', SAMPLE_ARCHIVE], { cwd })).toMatchObject({ status: 0 });
  expect(await statusOf(cwd)).toMatchObject({
    contracts: { contracts: CONTRACTS, unconfirmed: 1 },
    unfinishedArchives: [],
  });
});

test('ends at a second interrupt, even while it waits for a pipe', async () => {
  const cwd = tempFolder();
  spawnSync('mkfifo', [join(cwd, 'pipe')]);
  const run = spawnCli([...INDEX_WITHOUT_VM, '--archive', 'pipe'], { cwd });
  const closed = once(run, 'close');
  const pipe = createWriteStream(join(cwd, 'pipe'));
  await once(pipe, 'open');
  const announced = untilPrinted(run.stderr, /Interrupt again/);
  run.kill('SIGINT');
  await announced;
  run.kill('SIGINT');
  expect(await closed).toEqual([null, 'SIGINT']);
  pipe.destroy();
});

test.skipIf(!existsSync('/dev/full'))('the output cannot be written', async () => {
  const cwd = tempFolder();
  const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$1" --version > /dev/full', process.execPath, ENTRY], {
    cwd,
  });
  expect([status, stderr.toString()]).toEqual([1, expect.stringMatching(/^stxpress: The output .*ENOSPC.*\n$/)]);
});

test.skipIf(!existsSync('/dev/full'))('continues if the log cannot be written', async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'chain.tsv'), `${readFileSync(SAMPLE_ARCHIVE, 'utf8')}half a line\n`);
  const command = '"$0" "$1" index --offline --no-vm --skip-broken --archive chain.tsv 2> /dev/full';
  const { status, stdout } = spawnSync('sh', ['-c', command, process.execPath, ENTRY], { cwd });
  expect([status, stdout.toString()]).toEqual([0, expect.stringContaining('1 broken line skipped')]);
});

test('reads an archive from a named pipe', async () => {
  const cwd = tempFolder();
  spawnSync('mkfifo', [join(cwd, 'pipe')]);
  const indexed = runWarm([...INDEX_WITHOUT_VM, '--archive', 'pipe'], { cwd });
  await writeFile(join(cwd, 'pipe'), readFileSync(SAMPLE_ARCHIVE));
  expect(okOf(await indexed)).toContain(`Indexed ${CONTRACTS} deploys`);
});
