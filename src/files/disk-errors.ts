// Tells from an error whether a disk is full or failing.

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
