// Reads the byte range that a client requests (RFC 9110, 14). A request for several ranges gets the entire file.

/** A range of bytes. `end` is the position after its last byte. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

interface RangeHeaders {
  readonly range?: string | undefined;
  readonly 'if-range'?: string | undefined;
}

/**
 * Returns the requested range. Undefined if the entire file must be sent; null if the range begins after the end of the
 * file.
 */
export function chooseRange(headers: RangeHeaders, tag: string | undefined, size: number): Range | null | undefined {
  const condition = headers['if-range'];
  // The client has a part of another version of the file.
  if (condition !== undefined && condition !== tag) return undefined;
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(headers.range ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length > 0 ? { start: size - length, end: size } : null;
  }
  const [start, end] = [Number(first), last === '' ? size : Number(last) + 1];
  if (end <= start && last !== '') return undefined;
  return start < size ? { start, end: Math.min(end, size) } : null;
}
