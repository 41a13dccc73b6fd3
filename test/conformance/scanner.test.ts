// Compiles the JSON scanner. The compiler is installed when it is needed, as the packages of this suite are.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileScanner, SCANNER_WASM } from '../../scripts/make-scanner.ts';

test('json-scanner.wasm is compiled from json-scanner.as', async () => {
  expect(Buffer.from(await compileScanner()).equals(readFileSync(SCANNER_WASM))).toBe(true);
});
