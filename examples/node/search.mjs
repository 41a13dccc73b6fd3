#!/usr/bin/env node
// Prints the contracts of a stxpress API whose name or id begins with a text, from files that any host serves. Needs
// Node 20 or newer and nothing else.
const [base, text] = process.argv.slice(2);

async function read(file) {
  const url = `${base.replace(/\/+$/, '')}/search/contracts/${file}`;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

async function findContracts() {
  const found = new Set();
  const { names, families, addresses } = await read('index.json');
  const name = text.toLowerCase();
  // Generated names, such as bns-1-v2, are in the blocks of their pattern, bns-#-v#.
  const generated = Object.keys(families).filter((pattern) => pattern.startsWith(name.replace(/\d+/g, '#')));
  for (const fence of [names, ...generated.map((pattern) => families[pattern]), addresses]) {
    const key = fence === addresses ? text : name;
    // The last block that begins with the key or before it, and every block that begins with the key.
    const last = fence.findLastIndex(([first]) => first <= key);
    for (const [, block] of fence.filter(([first], index) => index === last || first.startsWith(key)))
      for (const [group, ...members] of await read(block))
        for (const member of members) {
          const id = fence === addresses ? `${group}.${member}` : `${member}.${group}`;
          const searched = fence === addresses ? id : group.toLowerCase();
          // A number is how many contracts a pattern has.
          if (typeof member === 'string' && searched.startsWith(key)) found.add(id);
        }
  }
  return found;
}

try {
  if (text === undefined) throw new Error('usage: node search.mjs <base URL> <beginning of a name or an id>');
  for (const id of await findContracts()) process.stdout.write(`${id}\n`);
} catch (error) {
  process.stderr.write(`search: ${error.message}\n`);
  process.exitCode = 1;
}
