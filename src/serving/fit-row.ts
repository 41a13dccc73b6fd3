// Limits a row of a list or a batch, so that texts of contracts and documents cannot make a page large.

/** The maximum size of a row in bytes: the largest page has 60 rows, and thus less than 1 MB. */
export const MAX_ROW_BYTES = 16_000;
/** The members of rows that contracts and documents decide, in the order in which they are omitted. */
const OMITTED = ['image_canonical_uri', 'description', 'token_uri', 'name'] as const;

/** Returns the row. Omits its longest texts if it is larger than {@link MAX_ROW_BYTES}. */
export function fitRow<Row extends object>(row: Row): Row {
  const fitting: Row & { [Key in (typeof OMITTED)[number]]?: unknown } = { ...row };
  for (const key of OMITTED) {
    if (fits(fitting)) break;
    delete fitting[key];
  }
  return fitting;
}

function fits(row: object): boolean {
  const json = JSON.stringify(row);
  // A code unit of UTF-16 has at most three bytes in UTF-8.
  return json.length * 3 <= MAX_ROW_BYTES || new TextEncoder().encode(json).length <= MAX_ROW_BYTES;
}
