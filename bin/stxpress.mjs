#!/usr/bin/env -S node --max-semi-space-size=8
// The command. Checks the Node version before loading code that older versions cannot run. A clone contains TypeScript,
// and an installed package contains JavaScript, since Node does not run TypeScript inside node_modules.
import module from 'node:module';
import v8 from 'node:v8';

const REQUIRED_MAJOR = 24;
/**
 * The minimum heap size for saving memory. It saves 65 MB and costs a twentieth of the time for an index of mainnet,
 * but a quarter of the time for small heaps.
 */
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
  // Unlike process.memoryUsage(), this does not open a file, so it works if the process has no file handle left.
  setInterval(() => {
    if (v8.getHeapStatistics().total_heap_size > LARGE_HEAP_BYTES) v8.setFlagsFromString(LARGE_HEAP_FLAG);
  }, HEAP_CHECK_MS).unref();
  module.enableCompileCache();
  const { main } = await import(isInstalled ? '../lib/cli/main.js' : '../src/cli/main.ts');
  process.exitCode = await main(args);
}
