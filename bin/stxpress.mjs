#!/usr/bin/env node
// The command: checks the running Node before anything that an older one cannot parse is loaded.
import module from 'node:module';

const REQUIRED_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR) {
  console.error(
    `stxpress needs Node ${REQUIRED_MAJOR} or newer, and this is Node ${process.versions.node}.\n` +
      'Start it through npm, which uses the Node that the project brings: npm start, npm run index, npm run build, npm run serve, npm run status, npm run hosts.',
  );
  process.exit(1);
}

module.enableCompileCache();
const { main } = await import('../src/cli/main.ts');
process.exitCode = await main(process.argv.slice(2));
