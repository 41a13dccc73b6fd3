// Groups the paths of the API's description by topic.

interface Tag {
  readonly name: string;
  readonly description: string;
  /** Beginnings of paths. */
  readonly paths: readonly string[];
}

/** The first tag with a matching beginning is the tag of a path. */
const TAGS: readonly Tag[] = [
  {
    name: 'Fungible tokens',
    description: 'Tokens of SIP-010: one, a page of them, or all of them in one file',
    paths: ['metadata/v1/ft', 'metadata/v1/tokenlist'],
  },
  { name: 'Non-fungible tokens', description: 'Collections of SIP-009 and their tokens', paths: ['metadata/v1/nft'] },
  { name: 'Semi-fungible tokens', description: 'Collections of SIP-013 and their tokens', paths: ['metadata/v1/sft'] },
  {
    name: 'Tokens of any kind',
    description: 'The state of a token or collection with its reasons, several tokens at once, and all collections',
    paths: ['metadata/v1/status', 'metadata/v1/search', 'search/collections'],
  },
  { name: 'Contracts', description: 'The source and interface of contracts', paths: ['extended/', 'v2/'] },
  { name: 'Call graph', description: 'Calls between contracts, their traits and copies', paths: ['graph/'] },
  { name: 'Search', description: 'Files that clients search for tokens, contracts and functions', paths: ['search/'] },
  { name: 'Changes', description: 'The last changes of the chain, as JSON and as a feed', paths: ['changes.'] },
  { name: 'Files', description: 'Copies of images, and tables of the whole site', paths: ['images/', 'dump/'] },
  {
    name: 'Site',
    description: 'The chain tip, the days of heights, the hash of the site, and this description',
    paths: ['metadata/v1', 'openapi.json'],
  },
];

/** The tags of the document, without those that no path has. */
export function tagsOf(paths: readonly string[]): { name: string; description: string }[] {
  const names = new Set(paths.map(tagOf));
  return TAGS.filter(({ name }) => names.has(name)).map(({ name, description }) => ({ name, description }));
}

/** Throws for a path of no group. */
export function tagOf(path: string): string {
  const tag = TAGS.find(({ paths }) => paths.some((prefix) => path.startsWith(prefix)));
  if (tag === undefined) throw new Error(`no tag in openapi-tags.ts has ${path}`);
  return tag.name;
}
