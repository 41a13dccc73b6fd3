// Installs missing packages, then runs a file with Node: node scripts/run.mjs FILE [ARGUMENT...]
// The first line of the file may set options of Node. It is plain JavaScript without dependencies, because the first run
// uses the machine's Node.
import './install.mjs';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const REQUIRED_MAJOR = 24;
// `npm publish` runs the script `publish`, too, when it has published the npm package.
if (process.env.npm_command === 'publish' && process.env.npm_lifecycle_event === 'publish') process.exit();
const [file = '', ...args] = process.argv.slice(2);
const options = /^#!\S+ -S node (.+)/.exec(readFileSync(file, 'utf8'))?.[1].split(' ') ?? [];
const isRecent = Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR;
// Uses the path of the installed Node, since this run may have just installed it. Later runs find Node through npm.
const node = isRecent ? process.execPath : fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
const command = [...process.execArgv, ...options, file, ...args];

// Replaces this process, where Node and the system can do that.
if (isRecent && process.platform !== 'win32') process.execve(node, [node, ...command], process.env);

const child = spawn(node, command, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    // Ctrl-C in a terminal already reaches both processes. A second signal would end the command immediately.
    if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal);
  });
child.on('close', (status, signal) => {
  if (signal === null) process.exit(status);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
