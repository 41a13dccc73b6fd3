// Guesses the content type of a file by its extension, as hosts do for files without a declared type.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const UNKNOWN = 'application/octet-stream';
const types = new Map<string, string>();

export function guessedType(file: string): string {
  if (types.size === 0) readTypes();
  const name = basename(file);
  const type = types.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? UNKNOWN;
  return type.startsWith('text/') ? `${type}; charset=UTF-8` : type;
}

/** Reads the table of types. Each line has a type and its extensions, and `#` begins a comment. */
function readTypes(): void {
  for (const line of readFileSync('/etc/mime.types', 'utf8').split('\n')) {
    const [type = '', ...extensions] = line.replace(/#.*/, '').trim().split(/\s+/);
    for (const extension of extensions) types.set(extension, type);
  }
}
