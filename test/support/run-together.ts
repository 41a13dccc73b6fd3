// Runs commands one after the other in this process, which runCliTogether starts: for those that end before they work.
import { main } from '../../src/cli/main.ts';
import type { CliResult, CliRun } from './run-cli.ts';

for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

process.once('message', async (runs: readonly CliRun[]) => {
  const results: CliResult[] = [];
  for (const { args, cwd, env = {} } of runs) {
    process.chdir(cwd);
    Object.assign(process.env, env);
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      process[name].write = (text: string | Uint8Array) => {
        printed[name] += text;
        return true;
      };
    }
    results.push({ status: await main(args), ...printed });
    for (const name of Object.keys(env)) delete process.env[name];
  }
  process.send?.(results, () => process.exit());
});
