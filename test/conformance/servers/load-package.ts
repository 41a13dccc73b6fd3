// Loads a package that only this suite needs, of which the project's own install and type checking know nothing.
import { createRequire } from 'node:module';

const requireHere = createRequire(new URL('../packages/package.json', import.meta.url));

/** The caller says what it uses of the package. */
export function loadPackage<T>(name: string): T {
  try {
    return requireHere(name);
  } catch (cause) {
    throw new Error(`${name} cannot be loaded; install it with: node test/conformance/install.mjs`, { cause });
  }
}
