// This script compiles the JSON scanner from AssemblyScript to WebAssembly, in the same folder: npm run make-scanner
import { readFileSync, writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const SOURCE = new URL('../src/source/observer/json-scanner.as', import.meta.url);
export const SCANNER_WASM = new URL('../src/source/observer/json-scanner.wasm', import.meta.url);

/** Compiles the scanner. The bytes are the same on every machine. */
export async function compileScanner(): Promise<Uint8Array> {
  const name = 'json-scanner.ts';
  let compiled = new Uint8Array();
  const flags = ['--runtime', 'stub', '--enable', 'simd', '-O3', '--noAssert', '--outFile', 'json-scanner.wasm'];
  const { error, stderr } = await asc.main([name, ...flags], {
    readFile: (file) => (file === name ? readFileSync(SOURCE, 'utf8') : null),
    writeFile: (_, bytes) => {
      compiled = new Uint8Array(bytes as Uint8Array);
    },
    listFiles: () => [],
  });
  if (error !== null) throw new Error(`json-scanner.as: ${stderr.toString()}`);
  return compiled;
}

if (import.meta.main) writeFileSync(SCANNER_WASM, await compileScanner());
