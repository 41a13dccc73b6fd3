// This script compiles the JSON scanner from AssemblyScript to WebAssembly, in the same folder: npm run make-scanner. It
// installs the compiler in assemblyscript/ first, since that is large.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';

const SOURCE = new URL('../src/source/observer/json-scanner.as', import.meta.url);
export const SCANNER_WASM = new URL('../src/source/observer/json-scanner.wasm', import.meta.url);
const COMPILER = new URL('./assemblyscript/', import.meta.url);

interface Compiler {
  main(
    args: readonly string[],
    files: {
      readFile(name: string): string | null;
      writeFile(name: string, bytes: Uint8Array): void;
      listFiles(): string[];
    },
  ): Promise<{ error: Error | null; stderr: { toString(): string } }>;
}

/** Compiles the scanner. The bytes are the same on every machine. */
export async function compileScanner(): Promise<Uint8Array> {
  installPackages(fileURLToPath(COMPILER));
  const { default: compiler } = (await import(new URL('node_modules/assemblyscript/dist/asc.js', COMPILER).href)) as {
    default: Compiler;
  };
  const name = 'json-scanner.ts';
  let compiled = new Uint8Array();
  const flags = ['--runtime', 'stub', '--enable', 'simd', '-O3', '--noAssert', '--outFile', 'json-scanner.wasm'];
  const { error, stderr } = await compiler.main([name, ...flags], {
    readFile: (file) => (file === name ? readFileSync(SOURCE, 'utf8') : null),
    writeFile: (_, bytes) => {
      compiled = new Uint8Array(bytes);
    },
    listFiles: () => [],
  });
  if (error !== null) throw new Error(`json-scanner.as: ${stderr.toString()}`);
  return compiled;
}

if (import.meta.main) writeFileSync(SCANNER_WASM, await compileScanner());
