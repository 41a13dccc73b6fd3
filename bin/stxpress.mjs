#!/usr/bin/env node
// The command: checks the version of Node before it loads anything that an older one cannot parse.
import module from 'node:module';

const REQUIRED_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR) {
  console.error(
    `stxpress needs Node ${REQUIRED_MAJOR} or newer, and this is Node ${process.versions.node}.\n` +
      'Start it through npm, which uses the Node that comes with the project: npm start, or npm run with one of ' +
      'index, build, serve, status and hosts.',
  );
  process.exit(1);
}

module.enableCompileCache();
const { main } = await import('../src/cli/main.ts');
process.exitCode = await main(process.argv.slice(2));
