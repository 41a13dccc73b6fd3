// Replaces `sync -f` in the test processes by a function without effect. Starting a program copies the page tables of
// these large processes, and a build does so three times. A `sync` that a test adds to PATH is still started, and
// commands in separate processes start the real one.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';

const { execFile } = childProcess;
const { PATH } = process.env;
const start = promisify(execFile);

const startUnlessSync = (command: string, args: readonly string[], options?: object) =>
  command === 'sync' && process.env.PATH === PATH
    ? Promise.resolve({ stdout: '', stderr: '' })
    : start(command, args, options);

// Test files share a process.
if (!('leavesOutSync' in execFile)) {
  const replaced = Object.assign(execFile.bind(undefined), {
    [promisify.custom]: startUnlessSync,
    leavesOutSync: true,
  });
  childProcess.execFile = replaced as typeof execFile;
  syncBuiltinESMExports();
}
