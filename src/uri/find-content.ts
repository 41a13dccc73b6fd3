// Finds the IPFS content that a URI names, even in a mangled URI: `ipfs://ipfs://CID`, `ipfs//CID`, `CID/1`.

interface IpfsContent {
  readonly namespace: 'ipfs' | 'ipns';
  /** A CID or, if `isCid` is false, a name. */
  readonly id: string;
  readonly isCid: boolean;
  /** The path after the id with its query and fragment, unchanged. */
  readonly path: string;
}

/** Public gateways. Each serves `/ipfs/<cid>/<path>`, and some also `<cid>.ipfs.<gateway>/<path>`. */
const PUBLIC_GATEWAYS: readonly string[] = [
  'ipfs.io',
  'dweb.link',
  'gateway.pinata.cloud',
  'cloudflare-ipfs.com',
  'infura-ipfs.io',
  'nftstorage.link',
  'w3s.link',
];
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
/**
 * Patterns of CIDs: version 0, version 1 in base 32, 58, 36, 16 and 64 with a hash of at least 20 bytes, and Ed25519
 * peer ids.
 */
const CIDS = [
  `Qm${BASE58}{44}`,
  'ba[e-h][a-z2-7]{36,}',
  'BA[E-H][A-Z2-7]{36,}',
  `z${BASE58}{32,}`,
  'k[0-9a-z]{36,}',
  'f01[0-9a-f]{46,}',
  'uA[A-Za-z0-9_-]{30,}',
  `12D3KooW${BASE58}{44}`,
].join('|');
const CID = new RegExp(`(?:${CIDS})(?=[/?#\\\\]|%2[fF]|\\.ip[fn]s\\.|$)`, 'y');
/** Matches the part after the CID in a host such as `CID.ipfs.dweb.link`. */
const HOST_OF_CID = /\.(ip[fn]s)\.[^/?#\\]*/iy;
const HOST = /(?=[^/?#\\]*[.:])[^/?#\\]+(?=[/\\]+ip[fn]s[/\\:])/iy;
/** Patterns for the parts of a text that may precede an id. */
const STEPS: readonly RegExp[] = [
  /(?:[/\\\s]|%2f|%20)+/iy,
  /(ip[fn]s)(?::|%3a|(?=[/\\]|%2f))/iy,
  /(?:dweb|fs|web\+ip[fn]s|https?)(?::|%3a)|https?(?=\/\/)/iy,
  new RegExp(`(?:${PUBLIC_GATEWAYS.map((host) => host.replaceAll('.', '\\.')).join('|')})(?=[/\\\\])`, 'iy'),
  HOST,
];

/**
 * Returns the content that a text names. Undefined if the text has neither a CID nor a name after `ipfs` or `ipns`.
 * Takes time linear in the length of the text.
 */
export function findContent(text: string): IpfsContent | undefined {
  let namespace: string | undefined;
  /** The offset of the name that is used if there is no CID. */
  let nameAt: number | undefined;
  let namedIn = '';
  for (let at = 0; ; ) {
    const cid = matchAt(CID, text, at)?.[0];
    if (cid !== undefined) {
      const host = matchAt(HOST_OF_CID, text, at + cid.length);
      const end = at + cid.length + (host?.[0].length ?? 0);
      return contentOf(host?.[1] ?? namespace ?? 'ipfs', cid, true, text.slice(end));
    }
    const [pattern, step] = firstStep(text, at);
    const isEnd = step === undefined;
    // A name may look like a host.
    if ((isEnd || pattern === HOST) && nameAt === undefined && namespace !== undefined) {
      nameAt = at;
      namedIn = namespace;
    }
    if (isEnd) break;
    namespace = step[1] ?? namespace;
    at += step[0].length;
  }
  if (nameAt === undefined) return undefined;
  const [name = ''] = text.slice(nameAt).split(/[/?#\\]/, 1);
  return contentOf(namedIn, name, false, text.slice(nameAt + name.length));
}

/** True for the host of a public gateway, and for a subdomain of it such as `CID.ipfs.dweb.link`. */
export function isPublicGateway(host: string): boolean {
  return PUBLIC_GATEWAYS.some((gateway) => {
    const content = host.endsWith(`.${gateway}`) ? host.slice(0, -gateway.length - 1) : '';
    return host === gateway || /^[a-z0-9-]+\.ip[fn]s$/.test(content);
  });
}

function contentOf(namespace: string, id: string, isCid: boolean, path: string): IpfsContent {
  const isName = namespace.toLowerCase() === 'ipns';
  return { namespace: isName ? 'ipns' : 'ipfs', id, isCid, path: path.replace(/^%2f/i, '/') };
}

function firstStep(text: string, at: number): readonly [RegExp, RegExpExecArray] | readonly [] {
  for (const pattern of STEPS) {
    const found = matchAt(pattern, text, at);
    if (found !== undefined) return [pattern, found];
  }
  return [];
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text) ?? undefined;
}
