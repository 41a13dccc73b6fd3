#!/usr/bin/env node
// The command: checks where it lies and which Node runs it, before it loads TypeScript.
import module from 'node:module';

const REQUIRED_MAJOR = 24;

const refusal = reasonNotToRun();
if (refusal === undefined) {
  module.enableCompileCache();
  const { main } = await import('../src/cli/main.ts');
  process.exitCode = await main(process.argv.slice(2));
} else {
  console.error(`stxpress: ${refusal}`);
  process.exitCode = 1;
}

function reasonNotToRun() {
  if (import.meta.url.includes('/node_modules/'))
    return (
      'it does not run as an installed package, since Node does not run TypeScript inside node_modules. ' +
      'Clone its repository instead, and run npm start there.'
    );
  if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR)
    return (
      `it needs Node ${REQUIRED_MAJOR} or newer, and this is Node ${process.versions.node}. Start it through npm, ` +
      'which uses the Node that the project brings: npm start, or npm run with index, build, serve, status or hosts.'
    );
  return undefined;
}
