#!/usr/bin/env node
// Prints the contracts of a stxpress API whose name or id begins with a text. Reads only files that each host serves.
// Needs only Node 20 or newer.
const [base, text] = process.argv.slice(2);

async function read(file) {
  const url = `${base.replace(/\/+$/, '')}/search/contracts/${file}`;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} returned status ${response.status}`);
  return response.json();
}

async function findContracts() {
  const found = new Set();
  const { names, addresses } = await read('index.json');
  const name = text.toLowerCase().replaceAll(/\s+/g, '-');
  const id = text.replace(/^s[mnpt][^.]*/i, (address) => address.toUpperCase());
  for (const blockIndex of [names, addresses]) {
    const key = blockIndex === addresses ? id : name;
    // A block contains keys from its first key on. So the key may be in the last block whose first key is not greater,
    // and in all blocks whose first key begins with the key.
    const last = blockIndex.findLastIndex(([first]) => first <= key);
    for (const [, block] of blockIndex.filter(([first], index) => index === last || first.startsWith(key)))
      for (const [group, ...members] of await read(block))
        for (const member of members) {
          const contract = blockIndex === addresses ? `${group}.${member}` : `${member}.${group}`;
          const searched = blockIndex === addresses ? contract : group.toLowerCase();
          if (searched.startsWith(key)) found.add(contract);
        }
  }
  return found;
}

try {
  if (text === undefined) throw new Error('Usage: node search.mjs <base URL> <beginning of a name or an id>');
  for (const id of await findContracts()) process.stdout.write(`${id}\n`);
} catch (error) {
  process.stderr.write(`search: ${error.message}\n`);
  process.exitCode = 1;
}
