// Which flags each command takes, in the order of its help.

/** How a node and an API are asked. */
export const SOURCE_KEYS = ['nodeUrl', 'apiUrl', 'apiKey', 'rate', 'wait', 'concurrency'] as const;
/** How documents and images are fetched. */
export const FETCH_KEYS = [
  'ipfsGateway',
  'arweaveGateway',
  'allowHost',
  'maxDocumentBytes',
  'connectTimeout',
  'idleTimeout',
  'totalTimeout',
] as const;

export const INDEX_KEYS = [
  'db',
  'archive',
  'contracts',
  'discover',
  ...SOURCE_KEYS,
  'offline',
  'noFetch',
  'noVm',
  'skipBroken',
  'rebuild',
  'refresh',
  'maxAge',
  'noImages',
  'maxImageBytes',
  'maxImagePixels',
  ...FETCH_KEYS,
] as const;
export const BUILD_KEYS = ['db', 'out', 'publicUrl', 'buildHost', 'only', 'full', 'verify'] as const;
export const SERVE_KEYS = ['dir', 'port', 'host'] as const;
export const STATUS_KEYS = ['db', 'json', 'failures'] as const;
export const START_KEYS = ['db', 'out', 'port', 'host'] as const;
