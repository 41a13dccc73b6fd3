// This script measures serving: node scripts/bench/serve.ts [--quick] …
// In one run it times nginx with the configuration that `build --host nginx` writes beside nginx that serves the same
// file with no rules, and `stxpress serve` beside bare serve-handler, in turns: all servers on one core, and wrk on
// another. It needs nginx, wrk and taskset.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import serveHandler from 'serve-handler';
import { describeMachine, median } from './measure.ts';
import { type BenchOptions, readOptions } from './options.ts';

const ENTRY = fileURLToPath(new URL('../../bin/stxpress.mjs', import.meta.url));
const SAMPLE = fileURLToPath(new URL('../../data/sample/chain.tsv', import.meta.url));
/** Of the baseline's requests a second. */
const TARGETS = { nginx: 0.9, serve: 3 };
const ROUNDS = 5;
const CONNECTIONS = 32;
const PORTS = { plain: 38_101, rules: 38_102, serve: 38_103, bare: 38_104 };

const [role, argument = ''] = process.argv.slice(2);
if (role === 'bare') serveBare(argument);
else await measureAll(readOptions(process.argv.slice(2)));

/** serve-handler with nothing around it, in a process of its own. */
function serveBare(folder: string): void {
  createServer((request, response) => {
    void serveHandler(request, response, { public: folder, cleanUrls: false, directoryListing: false, etag: true });
  }).listen(PORTS.bare, '127.0.0.1');
}

async function measureAll({ isJudged, results }: BenchOptions): Promise<void> {
  const seconds = isJudged ? 3 : 1;
  for (const program of ['nginx', 'wrk', 'taskset']) {
    if (spawnSync(program, ['-v']).error !== undefined) {
      console.error(`${program} is not installed. On Debian: apt-get install ${program}`);
      process.exit(1);
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'stxpress-bench-'));
  const running: ChildProcess[] = [];
  try {
    const [db, dist] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
    run('index', '--quiet', '--no-fetch', '--db', db, '--archive', SAMPLE);
    run('build', '--quiet', '--db', db, '--out', dist, '--host', 'nginx');
    const list = JSON.parse(readFileSync(join(dist, 'metadata/v1/ft/index.json'), 'utf8')) as {
      results: { contract_principal: string }[];
    };
    const path = `metadata/v1/ft/${list.results[1]?.contract_principal}`;
    console.log(
      `${ROUNDS} rounds of ${seconds} s in turns, ${CONNECTIONS} connections, one file of ${readFileSync(join(dist, path)).length} bytes`,
    );

    const onOneCore = (program: string, ...args: string[]) =>
      running.push(spawn('taskset', ['-c', '0', program, ...args], { stdio: 'ignore' }));
    onOneCore('nginx', '-p', folder, '-e', 'stderr', '-c', writeConfig(folder, dist));
    onOneCore(process.execPath, ENTRY, 'serve', '--out', dist, '--port', String(PORTS.serve));
    onOneCore(process.execPath, fileURLToPath(import.meta.url), 'bare', dist);
    for (const port of Object.values(PORTS)) await untilAnswers(port, path);

    const ask = (port: number) => load(port, path, seconds);
    const rates: Rate[] = [
      compare('nginx with our rules', PORTS.rules, 'nginx with none', PORTS.plain, TARGETS.nginx, ask),
      compare('`stxpress serve`', PORTS.serve, 'serve-handler', PORTS.bare, TARGETS.serve, ask),
    ];
    mkdirSync(results, { recursive: true });
    writeFileSync(join(results, 'serve.json'), `${JSON.stringify({ machine: describeMachine(), rates }, null, 2)}\n`);
  } finally {
    for (const child of running) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Requests a second. */
export interface Rate {
  readonly name: string;
  readonly rate: number;
  readonly baseline: string;
  readonly baselineRate: number;
}

function compare(
  name: string,
  port: number,
  baseline: string,
  basePort: number,
  target: number,
  ask: (port: number) => number,
): Rate {
  const rounds = Array.from({ length: ROUNDS }, () => [ask(port), ask(basePort)] as const);
  const own = median(rounds.map(([rate]) => rate));
  const base = median(rounds.map(([, rate]) => rate));
  const ratio = own / base;
  console.log(
    `${name}: ${Math.round(own)} requests a second; ${baseline}: ${Math.round(base)}; ratio ${ratio.toFixed(2)} (target ${target})${ratio < target ? ' MISSED' : ''}`,
  );
  return { name, rate: Math.round(own), baseline, baselineRate: Math.round(base) };
}

/** Requests a second. */
function load(port: number, path: string, seconds: number): number {
  const wrk = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}`, `http://127.0.0.1:${port}/${path}`];
  const { stdout } = spawnSync('taskset', ['-c', '1', ...wrk], { encoding: 'utf8' });
  if (/Non-2xx/.test(stdout)) throw new Error(`port ${port} did not answer ${path} with 200`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

/** Both servers in one nginx: what is not a rule of ours, they share. */
function writeConfig(folder: string, dist: string): string {
  const rules = readFileSync(join(`${dist}-hosts`, 'nginx', 'stxpress.conf'), 'utf8');
  writeFileSync(join(folder, 'rules.conf'), rules.replace('listen 8080;', `listen 127.0.0.1:${PORTS.rules};`));
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; worker_processes 1; pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; ${temp.join(' ')}
  server {
    listen 127.0.0.1:${PORTS.plain};
    root "${dist}";
    open_file_cache max=20000 inactive=60s;
  }
  include ${folder}/rules.conf;
}
`,
  );
  return config;
}

async function untilAnswers(port: number, path: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`nothing answers at port ${port}`);
}

function run(...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [ENTRY, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}: ${stderr}`);
}
