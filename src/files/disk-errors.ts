// Recognizes errors of full or failing disks, and of moves to another file system.

const FULL: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);
/** Codes for a file that exceeds the maximum size, and for a failing device. */
const FAILING: ReadonlySet<string | undefined> = new Set(['EFBIG', 'EIO']);

export function isDiskFull(error: unknown): boolean {
  return describeDisk(error) !== undefined;
}

/** Returns `full` or `full or failing (EIO)`; undefined for other errors. */
export function describeDisk(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (FULL.has(code)) return 'full';
  return FAILING.has(code) ? `full or failing (${code})` : undefined;
}

/** Returns advice for the error of a move to another file system; undefined for other errors. */
export function adviseOnMount(error: unknown): string | undefined {
  if ((error as NodeJS.ErrnoException).code !== 'EXDEV') return undefined;
  return 'A folder in it is on another file system. Keep the whole folder on one file system.';
}
