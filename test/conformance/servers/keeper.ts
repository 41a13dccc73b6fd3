// Runs a command until its own standard input ends, that is, until whoever started it asks for the end or is gone,
// however it went.
// Arguments: the folder to remove afterwards, the command, its arguments.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const GRACE_MS = 5_000;

const [folder = '', command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

let ended = false;
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  finish(1);
});
child.once('exit', (status, signal) => {
  if (signal !== null) process.stderr.write(`${command} was ended by ${signal}\n`);
  finish(status ?? 1);
});

function finish(status: number): void {
  if (ended) return;
  ended = true;
  // Whoever starts it reads the log in the folder first if the command ended on its own.
  if (asked) rmSync(folder, { recursive: true, force: true });
  process.exit(status);
}

let asked = false;
function end(): void {
  if (asked) return;
  asked = true;
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
}
process.stdin.resume().once('end', end).once('error', end).once('close', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
