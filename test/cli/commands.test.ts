import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '#cli/commands.ts';
import { ALL_OPTIONS } from '#cli/options.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { blockLine, callJson, deployJson } from '../support/observer-lines.ts';
import { ENTRY, runCli, spawnCli, untilIndexing, untilPrinted } from '../support/run-cli.ts';
import { runWarm, statusOf } from '../support/run-warm.ts';
import { buildSample, PRESSER, readTree, SAMPLE, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const { contracts: CONTRACTS, tokens: TOKENS } = SAMPLE;
/** Fungible tokens and collections. */
const EVALUATED = TOKENS + SAMPLE.collections;
const INDEX_WITHOUT_VM = ['index', '--no-vm', '--no-fetch'];

describe('the command line', () => {
  test('default', async () => {
    const cwd = tempFolder();
    expect(await runCli(['--version'], { cwd })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect((await runWarm(['-v'], { cwd })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const help = await runCli(['--help'], { cwd });
    expect(help.status).toBe(0);
    expect(await runWarm(['help'], { cwd })).toEqual(help);
    expect(await runWarm(['help', 'build'], { cwd })).toEqual(await runWarm(['build', '--help'], { cwd }));
    expect(await runWarm(['help', 'bild'], { cwd })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Usage: stxpress'),
    });
    for (const { name } of COMMANDS) expect(help.stdout).toContain(`  ${name} `);
    const ofIndex = (await runWarm(['index', '--help'], { cwd })).stdout.replace(/\s+/g, ' ');
    for (const part of ['--skip-broken', 'default: 60, env: STXPRESS_WAIT', '--log <FORM>'])
      expect(ofIndex).toContain(part);
    expect(await runWarm([], { cwd })).toMatchObject({ status: 1, stderr: expect.stringContaining('Usage: stxpress') });
  });

  test('behavior: no two options share a variable or a key of the configuration', () => {
    expect(new Set(ALL_OPTIONS.map(({ variable }) => variable)).size).toBe(ALL_OPTIONS.length);
    expect(new Set(ALL_OPTIONS.map(({ key }) => key)).size).toBe(ALL_OPTIONS.length);
  });

  test('error: usage', async () => {
    const mistakes: [string[], string, string][] = [
      [['index', '--ofline'], "unknown option '--ofline'", '--offline'],
      [['bild'], "unknown command 'bild'", 'build'],
      [['build', '--only', 'nfts'], '--only <WHAT>', "'nfts' is invalid. Allowed choices are tokens, ft, nft, sft."],
      [['serve', '--port', 'http'], '--port <PORT>', "'http' is invalid. It takes a whole number from 0 to 65535."],
      [['serve', '--port', '70000'], '--port <PORT>', "'70000' is invalid. It takes a whole number from 0 to 65535."],
      [['build', '--public-url', 'example.org'], '--public-url is "example.org"', 'https://'],
      [['index', 'events.tsv'], 'too many arguments', ''],
      [['build'], 'There is no index at data/index.sqlite', 'npm run index'],
      [['status'], 'There is no index at data/index.sqlite', 'npm run index'],
      [['serve'], 'There is no build in dist', 'npm run build\n'],
      [['serve', '--out', 'my site'], 'There is no build in my site', "npm run build -- --out 'my site'\n"],
      [['build', '--db', "my 'index'"], "There is no index at my 'index'", String.raw`-- --db 'my '\''index'\'''`],
      [['index', '--archive', 'missing.tsv'], 'missing.tsv cannot be read', 'no such file'],
      [['index', '--archive', '.'], '. is a folder', '--archive'],
      [['index', '--archive', '-', '--archive', '-'], '--archive <FILE>', 'Standard input can be read only once.'],
      [['index', '--ipfs-gateway', 'ipfs.io'], '--ipfs-gateway is "ipfs.io"', 'https://'],
      [['index', '--allow-host', 'http://x/y'], '--allow-host is "http://x/y"', 'host:port'],
      [['index', '--refresh', 'everything'], '--refresh [PRINCIPAL...]', 'or nothing for every token'],
      [['index', '--concurrency', '0'], '--concurrency <N>', "'0' is invalid. It takes a whole number from 1 to"],
      [
        ['index', '--max-age', '1 week'],
        '--max-age <DURATION>',
        "'1 week' is invalid. It takes a duration such as 90s, 15m, 12h or 7d.",
      ],
      [['index', '--db', ''], '--db <FILE>', "'' is invalid. It must not be empty."],
      [['index', '--db', ':memory:'], '--db <FILE>', "':memory:' is invalid. An index is kept in a file."],
    ];
    const cwd = tempFolder();
    const results = await Promise.all(mistakes.map(([args]) => runWarm(args, { cwd })));
    expect(results.map(({ status, stderr }, index) => [mistakes[index]?.[0], status, stderr])).toEqual(
      mistakes.map(([args, says]) => [args, 1, expect.stringContaining(says)]),
    );
    for (const [index, { stderr }] of results.entries()) {
      expect(stderr).toContain(mistakes[index]?.[2]);
      expect(stderr).not.toContain('    at ');
    }
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });

  test('behavior: flag over environment over configuration over default', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'stxpress.config.json'), '{"db":"from-config.sqlite","no-vm":true,"no-fetch":true}');
    const env = { STXPRESS_DB: 'from-env.sqlite' };
    expect((await runWarm(['index', '--db', 'from-flag.sqlite'], { cwd, env })).stdout).toContain('from-flag.sqlite');
    expect((await runWarm(['index'], { cwd, env })).stdout).toContain('from-env.sqlite');
    const fromConfig = await runWarm(['index'], { cwd });
    expect(fromConfig.stdout).toContain('from-config.sqlite');
    expect(fromConfig.stdout).toContain(`${EVALUATED} tokens left to evaluate (--no-vm)`);
    expect(fromConfig.status).toBe(0);
    // A list from the environment, and a switch turned off there.
    const archives = await runWarm(['index'], {
      cwd,
      env: { STXPRESS_DB: 'x.sqlite', STXPRESS_ARCHIVE: SAMPLE_ARCHIVE, STXPRESS_NO_VM: '0' },
    });
    expect(archives.stdout).toContain(`${EVALUATED} tokens evaluated`);
    // A list replaces the one of a weaker source, and is not added to it.
    writeFileSync(join(cwd, 'stxpress.config.json'), '{"archive":["missing.tsv"],"no-vm":false}');
    const listEnv = { STXPRESS_ARCHIVE: `missing.tsv,${SAMPLE_ARCHIVE}`, STXPRESS_DB: 'y.sqlite' };
    const list = await runWarm([...INDEX_WITHOUT_VM, '--archive', SAMPLE_ARCHIVE], { cwd, env: listEnv });
    expect(list).toMatchObject({ status: 0, stdout: expect.stringContaining(`Indexed ${CONTRACTS} deploys`) });
    expect((await runWarm(['index'], { cwd, env: listEnv })).stderr).toContain('missing.tsv cannot be read');
  });

  test('error: usage, in the configuration', async () => {
    const mistakes: [string, string][] = [
      ['{"dbb":"x"}', 'unknown key "dbb". Did you mean db?'],
      ['{"PUBLIC_URL":"x"}', 'unknown key "PUBLIC_URL". Did you mean public-url?'],
      ['{"chocolate":"x"}', 'unknown key "chocolate". docs/commands.md lists them all.'],
      ['{"db":', 'is not JSON'],
      ['[]', 'JSON object'],
      ['\ufeff{"db":7}', '"db" in stxpress.config.json takes a string'],
      ['{"port":"x"}', '"port" in stxpress.config.json takes a number'],
      ['{"port":70000}', '"port" in stxpress.config.json is "70000". It takes a whole number from 0 to 65535.'],
      ['{"db":7}', '"db" in stxpress.config.json takes a string'],
      ['{"only":"nfts"}', '"only" in stxpress.config.json is "nfts". Allowed choices are tokens, ft, nft, sft.'],
      ['{"verify":"yes"}', 'takes true or false'],
    ];
    const runs = mistakes.map(([text, says]) => {
      const cwd = tempFolder();
      writeFileSync(join(cwd, 'stxpress.config.json'), text);
      return { args: [says.includes('port') ? 'serve' : 'build'], cwd };
    });
    const results = await Promise.all(runs.map(({ args, cwd }) => runWarm(args, { cwd })));
    expect(results.map(({ status, stderr }) => [status, stderr])).toEqual(
      mistakes.map(([, says]) => [1, expect.stringContaining(says)]),
    );
  });

  test('behavior: serve reads what the configuration has build write', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'stxpress.config.json'), '{"out":"site"}');
    expect((await runWarm(['serve'], { cwd })).stderr).toContain('There is no build in site.');
  });

  test('behavior: a build of a shard says that it writes no file of a host', async () => {
    const cwd = tempFolder();
    await runWarm([...INDEX_WITHOUT_VM, '--shard', '1/2'], { cwd });
    expect(await runWarm(['build', '--host', 'nginx'], { cwd })).toMatchObject({
      status: 0,
      stderr: 'No file of nginx is written for a shard: name --host at the merge.\n',
    });
    expect(existsSync(join(cwd, 'dist-hosts'))).toBe(false);
  });

  test('error: usage, in the environment', async () => {
    const mistakes: [Record<string, string>, string][] = [
      [{ STXPRESS_ARCHIV: 'x' }, 'STXPRESS_ARCHIV is not a setting. Did you mean STXPRESS_ARCHIVE?'],
      [{ STXPRESS_OFFLINE: 'perhaps' }, 'STXPRESS_OFFLINE is "perhaps". It takes 1 or 0.'],
      [{ STXPRESS_NO_VM: '2' }, 'STXPRESS_NO_VM is "2". It takes 1 or 0.'],
      [{ STXPRESS_RATE: '0' }, 'STXPRESS_RATE is "0". It takes a whole number from 1 to '],
      [{ STXPRESS_DISCOVER: 'nft' }, 'STXPRESS_DISCOVER is "nft". Allowed choices are ft.'],
      [{ STXPRESS_ARCHIVE: 'a.tsv,' }, 'STXPRESS_ARCHIVE is "". It must not be empty.'],
      [{ STXPRESS_ARCHIVE: '-,-' }, 'STXPRESS_ARCHIVE is "-". Standard input can be read only once.'],
    ];
    const cwd = tempFolder();
    const results = await Promise.all(mistakes.map(([env]) => runWarm(['index'], { cwd, env })));
    expect(results.map(({ status, stderr }) => [status, stderr])).toEqual(
      mistakes.map(([, says]) => [1, expect.stringContaining(says)]),
    );
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });

  test('behavior: an empty variable is none, and a wrong command line is reported as --log says', async () => {
    const cwd = tempFolder();
    const env = { STXPRESS_DB: '', STXPRESS_ARCHIVE: '', STXPRESS_RATE: '', STXPRESS_OFFLINE: '' };
    expect(await runWarm(INDEX_WITHOUT_VM, { cwd, env })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('The index is data/index.sqlite.'),
    });
    const mistakes = (
      [
        [['serve', '--log', 'json', '--port', 'x'], '', {}],
        [['serve', '--port', 'x', '--log=json'], '', {}],
        [['serve', '--port', 'x'], 'json', {}],
        [['serve', '--prot', '1'], 'json', {}],
        [['serve', '--prot', '1'], '', { log: 'json' }],
        [['serve'], '', { log: 'json', prot: 1 }],
        [['serve'], '', { log: 'json', port: 'x' }],
        [[], '', { log: 'json' }],
      ] as const
    ).map(([args, log, config]) => {
      const folder = tempFolder();
      writeFileSync(join(folder, 'stxpress.config.json'), JSON.stringify(config));
      return { args, cwd: folder, env: { STXPRESS_LOG: log } };
    });
    for (const { args, ...options } of mistakes) {
      const { status, stderr } = await runWarm(args, options);
      expect(status).toBe(1);
      expect(JSON.parse(stderr)).toMatchObject({ level: 'error', code: 'usage' });
    }
  });

  test('behavior: --quiet leaves the answer of status, and --log json makes it one line', async () => {
    const cwd = tempFolder();
    await runWarm(INDEX_WITHOUT_VM, { cwd });
    expect(await runWarm(['status', '--quiet'], { cwd })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Index /),
    });
    const { stdout } = await runWarm(['status', '--log', 'json'], { cwd });
    expect(stdout).toMatch(/^.*\n$/);
    expect(JSON.parse(stdout)).toMatchObject({
      level: 'result',
      chain: '0x53545850',
      contracts: { contracts: CONTRACTS },
    });
  });

  test('behavior: 75 only if the run was allowed to do work and left some', async () => {
    const cwd = tempFolder();
    let status = 503;
    const server = await loopbackServer((_, response) => {
      response.writeHead(status, { 'Retry-After': '3600' }).end('{"name":"Fetched"}');
    });
    const source = `(define-fungible-token t) (define-read-only (get-name) (ok "T"))
      (define-read-only (get-token-uri) (ok (some u"${server.url}/1.json")))`;
    const transactions = [deployJson('token', source, { clarityVersion: 2, interface: TOKEN_INTERFACE })];
    writeFileSync(join(cwd, 'chain.tsv'), blockLine({ id: 1, parent: 0, height: 0, transactions }));
    expect((await runWarm([...INDEX_WITHOUT_VM, '--archive', 'chain.tsv'], { cwd })).status).toBe(0);
    expect((await runWarm(['index', '--no-fetch'], { cwd })).status).toBe(0);
    // Without --allow-host, a token's URI does not reach this machine.
    const fetching = ['index', '--allow-host', server.host];
    const left = await runWarm(fetching, { cwd });
    expect(left).toMatchObject({
      status: 75,
      stdout: expect.stringContaining('1 metadata document left to fetch: run again later'),
    });
    expect(server.requests).toEqual(['/1.json']);
    status = 200;
    expect((await runWarm(['index', '--offline'], { cwd })).status).toBe(0);
    expect(await runWarm(fetching, { cwd })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('1 metadata document fetched'),
    });
    expect((await runWarm(fetching, { cwd })).status).toBe(0);
    expect(server.requests).toEqual(['/1.json', '/1.json']);
  });

  test('error: address-refused, for a token that points to this machine', async () => {
    const cwd = tempFolder();
    const server = await loopbackServer((_, response) => response.end('{}'));
    const source = `(define-fungible-token t) (define-read-only (get-name) (ok "T"))
      (define-read-only (get-token-uri) (ok (some u"http://127.0.0.1:8080/1.json")))`;
    const transactions = [deployJson('token', source, { clarityVersion: 2, interface: TOKEN_INTERFACE })];
    writeFileSync(join(cwd, 'chain.tsv'), blockLine({ id: 1, parent: 0, height: 0, transactions }));
    const args = ['index', '--archive', 'chain.tsv', '--ipfs-gateway', 'http://127.0.0.1:8080'];
    expect(await runWarm(args, { cwd })).toMatchObject({ status: 0 });
    expect(server.requests).toEqual([]);
    expect(await statusOf(cwd)).toHaveProperty('failures.tokens.address-refused', 1);
  });

  test('behavior: status says the same to people and to programs', async () => {
    const cwd = tempFolder();
    await runWarm(['index', '--no-fetch'], { cwd });
    await runWarm(['build'], { cwd });
    const status = await statusOf(cwd);
    expect(status).toMatchObject({
      chain: '0x53545850',
      sample: true,
      tip: { height: 7, burnBlockHeight: 107 },
      blocks: { canonical: 8, orphaned: 1 },
      contracts: {
        contracts: CONTRACTS,
        canonical: CONTRACTS - 1,
        unconfirmed: 1,
        byStandard: { 'sip-009': 1, 'sip-010': TOKENS, 'sip-013': 1 },
      },
      tokens: { queued: 1, complete: TOKENS - 4, partial: 2, error: 1 },
      notifications: { all: 1, entitled: 1 },
      failures: {
        chain: {},
        tokens: { 'getter-error': 6, 'no-uri': 1, 'no-value': 1, 'not-a-uri': 1, 'replay-diverged': 1 },
        jobs: {},
      },
      pending: { tokens: 0, documents: 1 },
      skipped: { '/new_burn_block': 9 },
      lastIndex: { outcome: 'ok', summary: { deploys: CONTRACTS } },
      lastBuild: { outcome: 'ok', summary: { out: 'dist', files: readTree(join(cwd, 'dist')).size } },
    });
    const listed = (await runWarm(['status', '--failures'], { cwd })).stdout;
    expect(listed).toContain(
      '.wrapped-token get-total-supply: getter-error: get-total-supply answers (err u6004). (not tried again)',
    );
    expect(listed).toContain('.whole-token document: no-uri');
    const text = (await runWarm(['status'], { cwd })).stdout;
    for (const part of [
      'block 7',
      '8 canonical, 1 not',
      `SIP-010 ${TOKENS}: ${TOKENS - 4} complete, 2 partial, 1 queued, 1 error`,
      'no-uri: The token has no metadata URI.',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('behavior: --log json and --quiet', async () => {
    const cwd = tempFolder();
    const json = await runWarm([...INDEX_WITHOUT_VM, '--log', 'json'], { cwd });
    const lines = json.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-/),
      message: expect.stringContaining('sample'),
    });
    expect(JSON.parse(json.stdout)).toMatchObject({ level: 'result', deploys: CONTRACTS, tokensLeft: EVALUATED });
    const failed = await runWarm(['build', '--log', 'json', '--db', 'none.sqlite'], { cwd });
    expect(JSON.parse(failed.stderr)).toMatchObject({ level: 'error', code: 'index-missing' });
    const quiet = await runWarm([...INDEX_WITHOUT_VM, '--quiet'], { cwd });
    expect(quiet).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('behavior: a command in a message can be pasted', async () => {
    const cwd = tempFolder();
    const orphan = blockLine({ id: 1, parent: 7, height: 8, transactions: [callJson()] });
    writeFileSync(join(cwd, 'gap.tsv'), orphan);
    const args = [...INDEX_WITHOUT_VM, '--db', "it's mine.sqlite", '--archive', 'gap.tsv'];
    const { stdout } = await runWarm(args, { cwd });
    const [, flags] = /^1 failure in the chain data, see: npm run status -- (.*)$/m.exec(stdout) ?? [];
    const shown = spawnSync('sh', ['-c', `"$0" "$1" status ${flags}`, process.execPath, ENTRY], { cwd });
    expect(shown.stdout.toString()).toContain("Index      it's mine.sqlite");
  });

  test('behavior: an archive from standard input', async () => {
    const cwd = tempFolder();
    const input = gzipSync(readFileSync(SAMPLE_ARCHIVE));
    const indexed = await runCli([...INDEX_WITHOUT_VM, '--archive', '-'], { cwd, input });
    expect(indexed).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`Indexed ${CONTRACTS} deploys in 9 new blocks`),
    });
    const again = await runWarm([...INDEX_WITHOUT_VM, '--archive', SAMPLE_ARCHIVE], { cwd });
    expect(again.stderr).toContain('indexed up to line 19 already');
    expect(again.status).toBe(0);
    expect(again.stdout).toBe(`${EVALUATED} tokens left to evaluate (--no-vm).\nThe index is data/index.sqlite.\n`);
  });

  test('behavior: an interrupt stops after what is in flight, says so, and is resumed', async () => {
    const cwd = tempFolder();
    const lines = readFileSync(SAMPLE_ARCHIVE, 'utf8').split(/(?<=\n)/);
    const run = spawnCli([...INDEX_WITHOUT_VM, '--archive', '-'], { cwd });
    let stdout = '';
    run.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk;
    });
    run.stdin?.write(lines.slice(0, -1).join(''));
    await untilIndexing(cwd);
    const announced = untilPrinted(run.stderr, /interrupt again/);
    run.kill('SIGINT');
    await announced;
    run.stdin?.end();
    expect((await once(run, 'close'))[0]).toBe(75);
    expect(stdout).toContain('Interrupted');
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

  test('behavior: a second interrupt ends it, even while it waits for a pipe', async () => {
    const cwd = tempFolder();
    spawnSync('mkfifo', [join(cwd, 'pipe')]);
    const run = spawnCli([...INDEX_WITHOUT_VM, '--archive', 'pipe'], { cwd });
    const closed = once(run, 'close');
    const pipe = createWriteStream(join(cwd, 'pipe'));
    await once(pipe, 'open');
    const announced = untilPrinted(run.stderr, /interrupt again/);
    run.kill('SIGINT');
    await announced;
    run.kill('SIGINT');
    expect(await closed).toEqual([null, 'SIGINT']);
    pipe.destroy();
  });

  test.skipIf(!existsSync('/dev/full'))('error: the output cannot be written', async () => {
    const cwd = tempFolder();
    const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$1" hosts > /dev/full', process.execPath, ENTRY], { cwd });
    expect([status, stderr.toString()]).toEqual([1, expect.stringMatching(/^stxpress: The output .*ENOSPC.*\n$/)]);
  });

  test.skipIf(!existsSync('/dev/full'))('behavior: a log that cannot be written stops no work', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'chain.tsv'), `${readFileSync(SAMPLE_ARCHIVE, 'utf8')}half a line\n`);
    const command = '"$0" "$1" index --no-fetch --no-vm --skip-broken --archive chain.tsv 2> /dev/full';
    const { status, stdout } = spawnSync('sh', ['-c', command, process.execPath, ENTRY], { cwd });
    expect([status, stdout.toString()]).toEqual([0, expect.stringContaining('1 broken line skipped')]);
  });

  test('behavior: status says where an archive is broken, until it has been read', async () => {
    const cwd = tempFolder();
    const lines = readFileSync(SAMPLE_ARCHIVE, 'utf8').split(/(?<=\n)/);
    writeFileSync(join(cwd, 'my chain.tsv'), lines.with(12, 'half a line\n').join(''));
    const args = [...INDEX_WITHOUT_VM, '--archive', 'my chain.tsv'];
    expect((await runWarm(args, { cwd })).status).toBe(1);
    const where = `my chain.tsv, line 13 (byte ${lines.slice(0, 12).join('').length})`;
    const { stdout } = await runWarm(['status'], { cwd });
    expect(stdout).toContain(`Archive    ${where}: four columns are expected`);
    expect(stdout).toContain(`Mend it and continue with: npm run index -- --archive 'my chain.tsv'\n`);
    const { stderr } = await runWarm([...args, '--skip-broken'], { cwd });
    expect(stderr).toContain(`warning: ${where}: four columns are expected`);
    expect((await runWarm(['status'], { cwd })).stdout).not.toContain('ontinue with');
  });

  test('behavior: an archive from a pipe', async () => {
    const cwd = tempFolder();
    spawnSync('mkfifo', [join(cwd, 'pipe')]);
    const indexed = runCli([...INDEX_WITHOUT_VM, '--archive', 'pipe'], { cwd });
    writeFileSync(join(cwd, 'pipe'), readFileSync(SAMPLE_ARCHIVE));
    expect(await indexed).toMatchObject({ status: 0, stdout: expect.stringContaining(`Indexed ${CONTRACTS} deploys`) });
  });

  test('error: other-chain', async () => {
    const cwd = tempFolder();
    await runWarm(INDEX_WITHOUT_VM, { cwd });
    writeFileSync(join(cwd, 'mainnet.tsv'), blockLine({ id: 1, parent: 0, height: 1, transactions: [callJson()] }));
    const refused = await runWarm([...INDEX_WITHOUT_VM, '--archive', 'mainnet.tsv'], { cwd });
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('mainnet.tsv is of chain 0x00000001, and the index holds the bundled sample'),
    });
    expect(await statusOf(cwd)).toMatchObject({
      blocks: { canonical: 8, orphaned: 1 },
      lastIndex: { outcome: 'other-chain' },
    });
  });

  test('error: locked', async () => {
    const cwd = tempFolder();
    const first = spawnCli([...INDEX_WITHOUT_VM, '--archive', '-'], { cwd });
    first.stdin?.write(readFileSync(SAMPLE_ARCHIVE));
    await untilIndexing(cwd);
    const second = await runWarm(INDEX_WITHOUT_VM, { cwd });
    expect(second).toMatchObject({ status: 75, stderr: expect.stringContaining(`process ${first.pid}`) });
    first.stdin?.end();
    expect((await once(first, 'close'))[0]).toBe(0);
  });
});

describe('stxpress start and serve', () => {
  test('default', async () => {
    const cwd = tempFolder();
    const started = spawnCli(['start', '--port', '0'], { cwd });
    let said = '';
    started.stderr?.on('data', (text: Buffer) => {
      said += text;
    });
    const output = await untilPrinted(started.stdout, /Ctrl-C/);
    const urls = output.match(/http:\/\/[^\s/]+\/\S+/g) ?? [];
    expect(urls).toHaveLength(4);
    expect(output).toMatch(/^ {2}http:\/\/127\.0\.0\.1:\d+\/$/m);
    expect(new Set(urls).size).toBe(urls.length);
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
    started.kill('SIGINT');
    expect((await once(started, 'close'))[0]).toBe(0);
    expect(said).not.toContain('warning');

    // Its images are wherever it is served.
    const served = spawnCli(['serve', '--port', '0'], { cwd });
    const [base = ''] = (await untilPrinted(served.stdout, /Ctrl-C/)).match(/http:\/\/[^\s/,]+/) ?? [];
    const token = `${base}/metadata/v1/ft/${PRESSER}.office-token`;
    const { image_uri: image } = (await (await fetch(token)).json()) as { image_uri: string };
    expect((await fetch(new URL(image, token))).headers.get('content-type')).toMatch(/^image\//);
    served.kill('SIGINT');
    await once(served, 'close');
  });

  test('behavior: start leaves an index and a build of something else alone', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'mainnet.tsv'), blockLine({ id: 1, parent: 0, height: 1, transactions: [callJson()] }));
    await runWarm(['index', '--archive', 'mainnet.tsv', '--no-fetch'], { cwd });
    const { blocks, contracts } = await statusOf(cwd);
    expect(await runWarm(['start', '--port', '0'], { cwd })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('npm run build'),
    });
    await runWarm(['build'], { cwd });
    const started = spawnCli(['start', '--port', '0'], { cwd });
    expect(await untilPrinted(started.stdout, /Ctrl-C/)).toContain('left as they are');
    started.kill('SIGINT');
    await once(started, 'close');
    expect(await statusOf(cwd)).toMatchObject({ blocks, contracts, chain: '0x00000001' });
  });

  test.each([
    ['build', { host: 'nginx' }, '"build-host"'],
    ['serve', { host: 'netlify,nginx' }, '"build-host"'],
    ['serve', { host: ['nginx'] }, '"host" in stxpress.config.json takes a string: the address to listen on.'],
  ])('error: usage for a static host as the "host" of the configuration: %s, %j', async (command, config, says) => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'stxpress.config.json'), JSON.stringify(config));
    expect(await runWarm([command], { cwd })).toMatchObject({ status: 1, stderr: expect.stringContaining(says) });
  });

  test('error: port-in-use', async () => {
    const cwd = tempFolder();
    await buildSample(join(cwd, 'dist'), { vm: false });
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await runWarm(['serve', '--port', String(port)], { cwd })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`Port ${port} of 127.0.0.1 is in use`),
    });
    // `start` says it before it works.
    const empty = tempFolder();
    expect(await runWarm(['start', '--port', String(port)], { cwd: empty })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`Port ${port} of 127.0.0.1 is in use`),
    });
    expect(readdirSync(empty)).toEqual([]);
    other.close();
  });
});
