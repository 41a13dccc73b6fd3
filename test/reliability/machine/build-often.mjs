// Builds the index of the working folder repeatedly into the folder of the first argument, until standard input ends.
// Prints a line for each build. Exits with the status of the first failed build.
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
