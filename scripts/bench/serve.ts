// Measures serving: nginx with the rules of `build --hosts nginx` compared with nginx without rules, and `stxpress
// serve` compared with plain serve-handler. Servers run on one core and wrk on another. It requires nginx, wrk and
// taskset.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { ENTRY } from '../../test/support/run-cli.ts';
import { SAMPLE_ARCHIVE } from '../../test/support/sample.ts';
import { BASELINES, type Bench } from './bench.ts';
import type { Report } from './figures.ts';
import { median, stxpress } from './measure.ts';

const ROUNDS = 5;
const CONNECTIONS = 32;
const PORTS = { plain: 38_101, rules: 38_102, serve: 38_103, bare: 38_104 };
/** The compared servers. `target` is the minimum share of the baseline's requests per second. */
const COMPARED = [
  { name: 'nginx with the rules', port: PORTS.rules, baseline: 'nginx without rules', bare: PORTS.plain, target: 0.9 },
  { name: '`stxpress serve`', port: PORTS.serve, baseline: 'serve-handler', bare: PORTS.bare, target: 3 },
];

export async function serve(bench: Bench): Promise<Report> {
  for (const program of ['nginx', 'wrk', 'taskset'])
    if (spawnSync(program, ['-v']).error !== undefined)
      throw new Error(`${program} is not installed. On Debian: apt-get install ${program}`);
  const { folder, path } = bench;
  const [db, dist] = [path('index.sqlite'), path('dist')];
  await stxpress('index', '--offline', '--db', db, '--archive', SAMPLE_ARCHIVE);
  await stxpress('build', '--db', db, '--out', dist, '--hosts', 'nginx');
  const list = JSON.parse(readFileSync(`${dist}/metadata/v1/ft/index.json`, 'utf8')) as {
    results: { contract_principal: string }[];
  };
  const file = `metadata/v1/ft/${list.results[1]?.contract_principal}`;
  const running: ChildProcess[] = [];
  const onOneCore = (program: string, ...args: string[]) =>
    running.push(spawn('taskset', ['-c', '0', program, ...args], { stdio: 'ignore' }));
  try {
    onOneCore('nginx', '-p', folder, '-e', 'stderr', '-c', writeConfig(folder, dist));
    onOneCore(process.execPath, ENTRY, 'serve', '--out', dist, '--port', String(PORTS.serve));
    onOneCore(process.execPath, BASELINES, 'serve', dist, String(PORTS.bare));
    for (const port of Object.values(PORTS)) await untilItResponds(port, file);
    const seconds = bench.isJudged ? 3 : 1;
    let isMissed = false;
    for (const { name, port, baseline, bare, target } of COMPARED) {
      const rounds = Array.from({ length: ROUNDS }, () => [load(port, file, seconds), load(bare, file, seconds)]);
      const [rate, base] = [0, 1].map((at) => median(rounds.map((round) => round[at] ?? 0))) as [number, number];
      const ratio = rate / base;
      const isBelow = ratio < target;
      isMissed ||= isBelow;
      const judged = `${ratio.toFixed(2)} (target ${target})${isBelow ? ' MISSED' : ''}`;
      console.log(`${name}: ${Math.round(rate)} requests a second; ${baseline}: ${Math.round(base)}; ratio ${judged}`);
    }
    return { input: `one file, ${CONNECTIONS} connections`, figures: [], isMissed };
  } finally {
    for (const child of running) child.kill();
  }
}

/** Measures the requests per second of a server. */
function load(port: number, path: string, seconds: number): number {
  const wrk = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}`, `http://127.0.0.1:${port}/${path}`];
  const { stdout } = spawnSync('taskset', ['-c', '1', ...wrk], { encoding: 'utf8' });
  if (/Non-2xx/.test(stdout)) throw new Error(`port ${port} did not return ${path} with status 200`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

/** Writes the configuration of one nginx with two servers, which differ only in the rules. */
function writeConfig(folder: string, dist: string): string {
  const rules = readFileSync(`${dist}-hosts/nginx/stxpress.conf`, 'utf8');
  writeFileSync(`${folder}/rules.conf`, rules.replace('listen 8080;', `listen 127.0.0.1:${PORTS.rules};`));
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    `${folder}/nginx.conf`,
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
  return `${folder}/nginx.conf`;
}

async function untilItResponds(port: number, path: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const response = await fetch(`http://127.0.0.1:${port}/${path}`).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no server responds at port ${port}`);
}
