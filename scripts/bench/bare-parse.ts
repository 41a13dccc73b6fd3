// A baseline: reads an archive line by line and parses the JSON of every line, nothing else. Usage: node
// scripts/bench/bare-parse.ts FILE
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

const [file = ''] = process.argv.slice(2);
const bytes = createReadStream(file, { highWaterMark: 1 << 20 });
const input = file.endsWith('.gz') ? bytes.pipe(createGunzip({ chunkSize: 1 << 20 })) : bytes;
let lines = 0;
for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
  JSON.parse(line.slice(line.lastIndexOf('\t') + 1));
  lines++;
}
console.log(lines);
