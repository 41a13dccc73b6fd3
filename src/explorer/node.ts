// Calls read-only functions at the Stacks node that the reader chooses. Its URL is stored in this browser only.
import { splitContractId } from '#model/principal.ts';
import { parseJson } from '#text/parse-json.ts';
import { readStored, writeStored } from './browser-storage.ts';
import type { ShownValue } from './clarity-values.ts';
import { SiteError } from './site.ts';

const KEY = 'stxpress-node';
const MAX_ERROR_LENGTH = 300;

/** The nodes that are offered. */
export const NODES = [
  { name: 'Hiro’s public node', url: 'https://api.hiro.so' },
  { name: 'A node on this computer', url: 'http://localhost:20443' },
] as const;

/** Returns undefined until the reader chose a node. */
export const readNode = () => readStored('localStorage', KEY);

export const storeNode = (node: string | undefined) => writeStored('localStorage', KEY, node);

/** Returns the URL without a slash at its end; undefined for a text that is not an HTTP URL. */
export function toNodeUrl(text: string): string | undefined {
  const url = URL.parse(text.trim());
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  return url && isHttp ? url.href.replace(/\/$/, '') : undefined;
}

/** True if browsers block requests to the node, because the page came by HTTPS and the node has plain HTTP. */
export function isBlocked(node: string): boolean {
  const { protocol, hostname } = new URL(node);
  return (
    location.protocol === 'https:' && protocol === 'http:' && !/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  );
}

export interface Call {
  readonly contractId: string;
  readonly name: string;
  /** Clarity literals, each with the name of its type. */
  readonly args: readonly { readonly name: string; readonly literal: string; readonly type: string }[];
}

/** The argument that is not a value of its type. */
export class ArgumentError extends SiteError {
  readonly argument: string;
  constructor(argument: string, message: string) {
    super(message);
    this.argument = argument;
  }
}

/** The node did not respond, or does not allow requests of pages. */
export class NodeError extends SiteError {}

/** Calls a function at the node's tip. Throws ArgumentError, NodeError, or SiteError for a call that fails. */
export async function callReadOnly(node: string, { contractId, name, args }: Call): Promise<ShownValue> {
  const { encodeLiteral, showValue } = await loadValues();
  const encoded = args.map(({ name: argument, literal, type }) => {
    const hex = encodeLiteral(literal);
    if (hex !== undefined) return hex;
    const needed =
      type === 'principal' ? 'It needs an address such as SP2J6ZY4…, or an address, a dot and a name.' : '';
    throw new ArgumentError(argument, `${argument} is not a ${type} value. ${needed}`.trim());
  });
  const { address, name: contract } = splitContractId(contractId);
  const response = await fetch(`${node}/v2/contracts/call-read/${address}/${contract}/${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ sender: address, arguments: encoded }),
    credentials: 'omit',
  }).catch(() => {
    throw new NodeError(`Cannot reach ${node}`, { isPassing: true });
  });
  const text = await response.text().catch(() => '');
  const { okay, result, cause } = (parseJson(text) ?? {}) as { okay?: unknown; result?: unknown; cause?: unknown };
  const shown = okay === true && typeof result === 'string' ? showValue(result) : undefined;
  if (shown !== undefined) return shown;
  if (okay === false) {
    const reason = typeof cause === 'string' ? cause : JSON.stringify(cause);
    throw new SiteError(`The call failed: ${reason}. The contract rejected these arguments.`);
  }
  if (response.status === 429) throw new SiteError('The node is busy. Try again in a minute.', { isPassing: true });
  throw new SiteError(`The node returned status ${response.status}: ${text.slice(0, MAX_ERROR_LENGTH)}`);
}

/** Loads the script for Clarity values, which has the same version as this one. */
function loadValues(): Promise<typeof import('./clarity-values.ts')> {
  const script = new URL(import.meta.url);
  return import(new URL(`clarity-values.js${script.search}`, script).href).catch(() => {
    throw new SiteError('The site did not answer. Check your connection.', { isPassing: true });
  });
}
