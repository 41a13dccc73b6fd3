// Loads a package that only this suite needs, of which the project's own install and type checking know nothing.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const PACKAGES = new URL('../packages/package.json', import.meta.url);
const requireHere = createRequire(PACKAGES);

/** The caller says what it uses of the package. */
export function loadPackage<T>(name: string): T {
  try {
    return requireHere(name);
  } catch (cause) {
    throw new Error(`${name} cannot be loaded; ${INSTALL}`, { cause });
  }
}

/** Returns the path of a file of a package. */
export function packageFile(path: string): string {
  const file = fileURLToPath(new URL(`node_modules/${path}`, PACKAGES));
  if (!existsSync(file)) throw new Error(`${path} is not there; ${INSTALL}`);
  return file;
}

const INSTALL = 'install it with: node test/conformance/install.mjs';
