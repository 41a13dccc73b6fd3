// Replaces the command `sync -f` in test processes by no operation. Starting a program from these large processes is
// slow, and a build does so three times. Commands in separate processes start the real `sync`, and a `sync` that a test
// adds to PATH is started too.
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

// Several test files share a process, so the function may be replaced already.
if (!('leavesOutSync' in execFile)) {
  const replaced = Object.assign(execFile.bind(undefined), {
    [promisify.custom]: startUnlessSync,
    leavesOutSync: true,
  });
  childProcess.execFile = replaced as typeof execFile;
  syncBuiltinESMExports();
}
