// Puts the harness's own port into a copy of a host's configuration, which is otherwise run as it was written.

/**
 * Every match of the pattern becomes the replacement; without a match it is not the configuration that was expected.
 */
export function replaceIn(text: string, pattern: RegExp, replacement: string, file: string): string {
  if (text.search(pattern) === -1) throw new Error(`${file} has no ${pattern}`);
  return text.replace(pattern, replacement);
}
