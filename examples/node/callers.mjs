#!/usr/bin/env node
// Prints the callers of a contract, and the functions that they call. Reads only files that any host serves. Needs only
// Node 20 or newer. Usage: node callers.mjs <base URL> <contract id>
import { createHash } from 'node:crypto';

const [base, contractId] = process.argv.slice(2);
const digits = createHash('sha256').update(contractId).digest('hex').slice(0, 3);
const block = await fetch(`${base}/graph/${digits}.json`);
// A block is missing if no contract has an id with these digits.
const graph = block.ok ? (await block.json())[contractId] : undefined;
for (let page = 0; page < (graph?.called_by.pages ?? 0); page++) {
  const rows = await fetch(`${base}/graph/lists/called-by/${contractId}/${page}`);
  for (const [caller, ...functions] of await rows.json()) process.stdout.write(`${caller} ${functions.join(' ')}\n`);
}
