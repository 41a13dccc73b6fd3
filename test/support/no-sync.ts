// Leaves out `sync -f` in the processes of the tests: starting a program copies the page tables of these large
// processes, and a build does it three times. A test that puts a `sync` of its own into the PATH has it started, and
// commands that run in processes of their own start the real one.
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

// Files of tests share a process.
if (!('leavesOutSync' in execFile)) {
  const replaced = Object.assign(execFile.bind(undefined), {
    [promisify.custom]: startUnlessSync,
    leavesOutSync: true,
  });
  childProcess.execFile = replaced as typeof execFile;
  syncBuiltinESMExports();
}
