#!/usr/bin/env node
// Prints the contracts that call a contract, each with the functions that it calls. Reads only files that each host
// serves. Needs only Node 20 or newer. Usage: node callers.mjs <base URL> <contract id>
import { createHash } from 'node:crypto';

const [base, contractId] = process.argv.slice(2);
const digits = createHash('sha256').update(contractId).digest('hex').slice(0, 3);
const block = await fetch(`${base}/graph/${digits}.json`);
// This file is missing if no contract's id has a hash that begins with these digits.
const graph = block.ok ? (await block.json())[contractId] : undefined;
for (const [caller, ...functions] of graph?.called_by.first ?? [])
  process.stdout.write(`${caller} ${functions.join(' ')}\n`);
