#!/usr/bin/env -S node --max-semi-space-size=8
// Runs the command line. Checks the Node version before loading code that older versions cannot run. A clone contains
// TypeScript, and an installed package contains JavaScript, since Node does not run TypeScript inside node_modules.
import module from 'node:module';
import v8 from 'node:v8';

const REQUIRED_MAJOR = 24;
/**
 * The heap size above which V8 is told to save memory. For an index of mainnet this saves 65 MB and costs a twentieth
 * of the time. A small heap is left alone, since saving memory there would cost a quarter of the time.
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
  // `getHeapStatistics` works even if the process has no file handle left; process.memoryUsage() would open a file.
  setInterval(() => {
    if (v8.getHeapStatistics().total_heap_size > LARGE_HEAP_BYTES) v8.setFlagsFromString(LARGE_HEAP_FLAG);
  }, HEAP_CHECK_MS).unref();
  module.enableCompileCache();
  const { main } = await import(isInstalled ? '../lib/cli/main.js' : '../src/cli/main.ts');
  process.exitCode = await main(args);
}
