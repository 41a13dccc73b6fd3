// Runs commands one after the other in this process, which runWarm starts: each is sent, and answered with its result.
import { main } from '../../src/cli/main.ts';
import type { CliResult } from './run-cli.ts';
import type { WarmRun } from './run-warm.ts';

for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);
process.once('disconnect', () => process.exit());

process.on('message', async ({ args, cwd, env = {} }: WarmRun) => {
  process.chdir(cwd);
  Object.assign(process.env, env);
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += text;
      return true;
    };
  }
  const result: CliResult = { status: await main(args), ...printed };
  for (const name of Object.keys(env)) delete process.env[name];
  process.send?.(result);
});
