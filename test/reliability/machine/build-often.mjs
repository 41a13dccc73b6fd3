// Repeats the build of the working folder's index, until standard input ends. The first argument is the output folder.
// Prints a line after each build, and exits with the status of the first failed build.
import { once } from 'node:events';
import { main } from '../../../src/cli/main.ts';

let isOver = false;
once(process.stdin.resume(), 'end').then(() => {
  isOver = true;
});
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);
while (!isOver && process.exitCode === undefined) {
  const status = await main(['build', '--out', process.argv[2], '--quiet']);
  if (status === 0) process.stdout.write('built\n');
  else process.exitCode = status;
  await new Promise(setImmediate);
}
