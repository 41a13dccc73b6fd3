// Takes the raw transactions out of a line's JSON and gives their bytes: they are most of an archive, and need not become text.

/** JSON in which short marks stand for the transactions that were cut out. */
export interface CutJson {
  readonly text: string;
  readonly cut: readonly Uint8Array[];
}

const QUOTE = 0x22;
const SPACE = 0x20;
/** Within a longer text its second quote would have a backslash in front. */
const KEY = Buffer.from('"raw_tx":');
const HEX_START = Buffer.from('"0x');
/** Below that, cutting costs more than it saves. */
const MIN_DIGITS = 256;
/** What a mark begins with. JSON that has it anywhere itself is left whole. */
const MARK = '\u0000';
const MARK_IN_JSON = '\\u0000';

/** The bytes of UTF-8 JSON, valid or not; what is no hex stays where it is. */
export function cutTransactions(json: Buffer): CutJson {
  const cut: Uint8Array[] = [];
  if (json.includes(MARK_IN_JSON)) return { text: json.toString('utf8'), cut };
  let text = '';
  let from = 0;
  for (let key = json.indexOf(KEY); key !== -1; key = json.indexOf(KEY, key + KEY.length)) {
    let start = key + KEY.length;
    while (json[start] === SPACE) start++;
    const digits = start + HEX_START.length;
    if (!json.subarray(start, digits).equals(HEX_START)) continue;
    const end = json.indexOf(QUOTE, digits);
    if (end - digits < MIN_DIGITS) continue;
    const bytes = Buffer.from(json.toString('latin1', digits, end), 'hex');
    if (bytes.length * 2 !== end - digits) continue;
    text += `${json.toString('utf8', from, start)}"${MARK_IN_JSON}${cut.length}"`;
    cut.push(bytes);
    from = end + 1;
  }
  return { text: text + json.toString('utf8', from), cut };
}

/** The bytes for which a parsed text stands, or undefined for an ordinary text. */
export function cutBytes(text: string, cut: readonly Uint8Array[]): Uint8Array | undefined {
  return text.startsWith(MARK) ? cut[Number(text.slice(MARK.length))] : undefined;
}
