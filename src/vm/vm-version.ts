// The version of the installed Clarity VM package. Values may differ between versions.
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

const PACKAGE = '@stacks/clarinet-sdk-wasm';

/** The name and version of the package, such as `@stacks/clarinet-sdk-wasm 3.21.0`. */
export const VM_VERSION = `${PACKAGE} ${readVersion()}`;

function readVersion(): string {
  const path = findPackageJSON(PACKAGE, import.meta.url);
  if (path === undefined) throw new Error(`${PACKAGE} is not installed`);
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
