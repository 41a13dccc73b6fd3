// Parses the JSON of an observer's payload. Long raw transactions, most of an archive, come as bytes: they need not
// become text. That saves a tenth of a replay of 20,000 deploys (3.0 s instead of 3.3 s).
import { isUtf8 } from 'node:buffer';
import { MalformedError } from './malformed-error.ts';

const QUOTE = 0x22;
const SPACE = 0x20;
/** Inside a string its second quote would have a backslash in front. */
const KEY = Buffer.from('"raw_tx":');
const HEX_START = Buffer.from('"0x');
/** Below that, cutting costs more than it saves. */
const MIN_DIGITS = 256;
/** Begins the string that stands for bytes. JSON that has it anywhere itself is parsed whole. */
const MARK = '\u0000';
const MARK_IN_JSON = '\\u0000';

/** `raw_tx` of a transaction becomes bytes where it is long hex text. Throws MalformedError. */
export function parsePayload(json: Buffer): unknown {
  if (!isUtf8(json)) throw new MalformedError('the JSON is not UTF-8');
  const { text, cut } = cutTransactions(json);
  const payload = parseJson(text) as { transactions?: unknown } | null;
  if (cut.length > 0 && Array.isArray(payload?.transactions)) {
    for (const transaction of payload.transactions as ({ raw_tx?: unknown } | null)[]) {
      if (typeof transaction?.raw_tx === 'string' && transaction.raw_tx.startsWith(MARK))
        transaction.raw_tx = cut[Number(transaction.raw_tx.slice(MARK.length))];
    }
  }
  return payload;
}

/** Throws MalformedError. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MalformedError(`the JSON is broken or cut off (${(error as Error).message})`);
  }
}

/** JSON in which marks stand for the transactions that were cut out. What is no hex stays where it is. */
function cutTransactions(json: Buffer): { text: string; cut: Uint8Array[] } {
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
