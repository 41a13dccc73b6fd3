// This script writes the generated parts of README.md and docs/. Running it again gives the same bytes.
// Usage: npm run make-docs
import { readFileSync, writeFileSync } from 'node:fs';
import { fillPart, generatedParts } from './generated-docs.ts';

for (const part of generatedParts()) {
  const file = new URL(`../${part.page}`, import.meta.url);
  writeFileSync(file, fillPart(readFileSync(file, 'utf8'), part));
}
