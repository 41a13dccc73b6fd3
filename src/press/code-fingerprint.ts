// Hashes the code that decides what is rendered, and its packages: after a change of it, a build compares everything.
import { hashCode } from '#site/hash-code.ts';

/** Folders whose code ends up in the bytes of a site. */
const RENDERING_FOLDERS = 'dump explorer hosts model press routes serving sip-016 site sqlite store text'.split(' ');
/** The version that is told, those of the packages, of which an installed one has no lock, and examples in the API. */
const OTHER_FILES = ['../package.json', '../package-lock.json', '../data/sample/examples.json'];

export function codeFingerprint(): string {
  return hashCode(RENDERING_FOLDERS, OTHER_FILES);
}
