// Tells from an error whether a disk is full or failing, or whether a file would have to move to another one.

const FULL: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);
/** More than a file may have, and a failing device. */
const FAILING: ReadonlySet<string | undefined> = new Set(['EFBIG', 'EIO']);

export function isDiskFull(error: unknown): boolean {
  return describeDisk(error) !== undefined;
}

/** `full`, or `full or failing (EIO)`; undefined for other errors. */
export function describeDisk(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (FULL.has(code)) return 'full';
  return FAILING.has(code) ? `full or failing (${code})` : undefined;
}

/** What to do where a folder below the one that is written is on another file system; undefined for other errors. */
export function adviseOnMount(error: unknown): string | undefined {
  if ((error as NodeJS.ErrnoException).code !== 'EXDEV') return undefined;
  return 'A folder in it is on another file system, and files cannot be moved there: keep all of it on one.';
}
