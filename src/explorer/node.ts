// The node that a reader names for read-only calls: kept in this browser alone, and asked nothing before that.
import { splitContractId } from '#model/principal.ts';
import { parseJson } from '#text/parse-json.ts';
import { keep, readStored } from './browser-storage.ts';
import type { ShownValue } from './clarity-values.ts';
import { SiteError } from './site.ts';

const KEY = 'stxpress-node';

/** Undefined where none is named. */
export const readNode = () => readStored('localStorage', KEY);

/** Undefined forgets it. */
export const keepNode = (node: string | undefined) => keep('localStorage', KEY, node);

export function toNodeUrl(text: string): string | undefined {
  const url = URL.parse(text.trim());
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  return url && isHttp ? url.href.replace(/\/$/, '') : undefined;
}

export interface Call {
  readonly contractId: string;
  readonly name: string;
  /** Literals of Clarity. */
  readonly args: readonly { readonly name: string; readonly literal: string }[];
}

/** Calls a function at the node's tip. Throws SiteError, which says why there is no value. */
export async function callReadOnly(node: string, { contractId, name, args }: Call): Promise<ShownValue> {
  const { encodeLiteral, showValue } = await loadValues();
  const encoded = args.map((one) => {
    const hex = encodeLiteral(one.literal);
    if (hex === undefined) throw new SiteError(`${one.name}: ${one.literal} is not a valid Clarity value.`);
    return hex;
  });
  const { address, name: contract } = splitContractId(contractId);
  const response = await fetch(`${node}/v2/contracts/call-read/${address}/${contract}/${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ sender: address, arguments: encoded }),
    credentials: 'omit',
  }).catch(() => {
    throw new SiteError('The node cannot be reached, or does not answer to pages of other sites.');
  });
  const text = await response.text().catch(() => '');
  const { okay, result, cause } = (parseJson(text) ?? {}) as { okay?: unknown; result?: unknown; cause?: unknown };
  const shown = okay === true && typeof result === 'string' ? showValue(result) : undefined;
  if (shown !== undefined) return shown;
  if (okay === false)
    throw new SiteError(`The call fails: ${typeof cause === 'string' ? cause : JSON.stringify(cause)}`);
  if (response.status === 429) throw new SiteError('The node is rate-limiting requests. Try again in a minute.');
  throw new SiteError(`The node answered ${response.status}: ${text.slice(0, 300)}`);
}

/** Beside this script, and of its version. */
function loadValues(): Promise<typeof import('./clarity-values.ts')> {
  const own = new URL(import.meta.url);
  return import(new URL(`clarity-values.js${own.search}`, own).href).catch(() => {
    throw new SiteError('The site cannot be reached. Look at your connection, and try again.');
  });
}
