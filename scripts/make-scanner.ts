// This script compiles the JSON scanner, AssemblyScript, to the WebAssembly beside it: npm run make-scanner
import { writeFileSync } from 'node:fs';
import { compileScanner, SCANNER_WASM } from './compile-scanner.ts';

writeFileSync(SCANNER_WASM, await compileScanner());
