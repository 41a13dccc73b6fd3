// Loads packages of the conformance suite, which are not dependencies of the project.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const PACKAGES = new URL('../packages/package.json', import.meta.url);
const requireHere = createRequire(PACKAGES);

/** Loads a package. `T` declares those members that the caller uses. */
export function loadPackage<T>(name: string): T {
  try {
    return requireHere(name);
  } catch (cause) {
    throw new Error(`${name} cannot be loaded. ${INSTALL}`, { cause });
  }
}

/** Returns the path of a file in an installed package. */
export function packageFile(path: string): string {
  const file = fileURLToPath(new URL(`node_modules/${path}`, PACKAGES));
  if (!existsSync(file)) throw new Error(`${path} is missing. ${INSTALL}`);
  return file;
}

const INSTALL = 'Install it with: node test/conformance/install.mjs';
