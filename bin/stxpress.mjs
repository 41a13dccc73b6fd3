#!/usr/bin/env -S node --max-semi-space-size=8
// The command: checks which Node runs it before it loads what an older one cannot. In a clone that is TypeScript; an
// installed package has it compiled, since Node runs no TypeScript inside node_modules.
import module from 'node:module';
import v8 from 'node:v8';

const REQUIRED_MAJOR = 24;
/** Saves 65 MB where all of mainnet is indexed, for a twentieth of its time; small heaps would pay a quarter. */
const LARGE_HEAP_BYTES = 80_000_000;
const LARGE_HEAP_FLAG = '--heap-growing-percent=60';
const HEAP_CHECK_MS = 1_000;
const isInstalled = import.meta.url.includes('/node_modules/');

if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR) {
  const how = isInstalled
    ? `Install Node ${REQUIRED_MAJOR}, and then this package with it.`
    : 'Start it through npm, which uses the Node that the project brings: npm start, or npm run with a command.';
  console.error(
    `stxpress: it needs Node ${REQUIRED_MAJOR} or newer, and this is Node ${process.versions.node}. ${how}`,
  );
  process.exitCode = 1;
} else {
  const args = process.argv.slice(2);
  // Unlike process.memoryUsage(), this opens no file: the process may have no file handle left.
  setInterval(() => {
    if (v8.getHeapStatistics().total_heap_size > LARGE_HEAP_BYTES) v8.setFlagsFromString(LARGE_HEAP_FLAG);
  }, HEAP_CHECK_MS).unref();
  module.enableCompileCache();
  const { main } = await import(isInstalled ? '../lib/cli/main.js' : '../src/cli/main.ts');
  process.exitCode = await main(args);
}
