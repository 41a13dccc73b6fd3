// Installs missing packages, then runs a file with Node: node scripts/run.mjs FILE [ARGUMENT...]
// It is plain JavaScript without dependencies, because the first run uses the machine's Node.
import './install.mjs';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const REQUIRED_MAJOR = 24;
const [file = '', ...args] = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR) {
  process.argv.splice(1, 2, resolve(file));
  await import(pathToFileURL(file).href);
} else {
  // Uses the path of the installed Node, since this run may have just installed it. Later runs find Node through npm.
  const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  const child = spawn(node, [...process.execArgv, file, ...args], { stdio: 'inherit' });
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
}
