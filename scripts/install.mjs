// Installs the dependencies if they differ from package-lock.json, and makes the bundles. It is plain JavaScript without
// dependencies, because it runs first, with the machine's Node.
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';

installPackages(fileURLToPath(new URL('../', import.meta.url)));
await import('./bundle.mjs');
