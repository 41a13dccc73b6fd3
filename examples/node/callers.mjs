#!/usr/bin/env node
// Prints the contracts that call a contract, each with the functions that it calls. Reads only files that each host
// serves. Needs only Node 20 or newer.
const [base, contractId] = process.argv.slice(2);

/** Returns the content of a file, or undefined if a site lacks the file. */
async function read(file) {
  const url = `${base.replace(/\/+$/, '')}/${file}`;
  const response = await fetch(url);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${url} returned status ${response.status}`);
  return response.json();
}

/** Returns the FNV-1a hash of a text as eight hex digits. */
function fnv1a(text) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

async function findCallers() {
  const block = await read(`graph/${fnv1a(contractId).slice(0, 3)}.json`);
  // This file is missing if no contract's id has a hash that begins with these digits. Each API has a status.
  if (block === undefined && (await read('metadata/v1/index.json')) === undefined)
    throw new Error(`${base} is not the base URL of a stxpress API`);
  return block?.[contractId]?.called_by.first ?? [];
}

try {
  if (contractId === undefined) throw new Error('Usage: node callers.mjs <base URL> <contract id>');
  for (const [caller, ...functions] of await findCallers()) process.stdout.write(`${caller} ${functions.join(' ')}\n`);
} catch (error) {
  process.stderr.write(`callers: ${error.message}\n`);
  process.exitCode = 1;
}
