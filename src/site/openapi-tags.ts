// Groups the paths of the API description into topics, which OpenAPI calls tags.

interface Tag {
  readonly name: string;
  readonly description: string;
  /** The beginnings of the paths that belong to the tag. */
  readonly paths: readonly string[];
}

/** All tags in order. The tag of a path is the first one that lists a beginning of the path. */
const TAGS: readonly Tag[] = [
  {
    name: 'Fungible tokens',
    description: 'SIP-010 tokens: a single token, a page of tokens, or all tokens in one file',
    paths: ['metadata/v1/ft', 'metadata/v1/tokenlist'],
  },
  { name: 'Non-fungible tokens', description: 'SIP-009 collections and their tokens', paths: ['metadata/v1/nft'] },
  { name: 'Semi-fungible tokens', description: 'SIP-013 collections and their tokens', paths: ['metadata/v1/sft'] },
  {
    name: 'Tokens of any kind',
    description: 'Status of a token or collection, several tokens in one response, and all collections',
    paths: ['metadata/v1/status', 'metadata/v1/search', 'search/collections'],
  },
  { name: 'Contracts', description: 'Source and interface of contracts', paths: ['extended/', 'v2/'] },
  { name: 'Call graph', description: 'Calls between contracts, their traits and copies', paths: ['graph/'] },
  { name: 'Search', description: 'Files to search for tokens and contracts', paths: ['search/'] },
  {
    name: 'Files',
    description: 'Copies of images, tables with data of the whole site, and the seed for other indexes',
    paths: ['images/', 'dump/', 'seed/'],
  },
  {
    name: 'Site',
    description: 'Chain tip, first block of each day, hash of the site, and this description',
    paths: ['metadata/v1', 'openapi.json'],
  },
];

/** Returns the tags of some paths, in the order of {@link TAGS}. */
export function tagsOf(paths: readonly string[]): { name: string; description: string }[] {
  const names = new Set(paths.map(tagOf));
  return TAGS.filter(({ name }) => names.has(name)).map(({ name, description }) => ({ name, description }));
}

/** Returns the name of a path's tag. Throws an error if no tag fits. */
export function tagOf(path: string): string {
  const tag = TAGS.find(({ paths }) => paths.some((prefix) => path.startsWith(prefix)));
  if (tag === undefined) throw new Error(`no tag in openapi-tags.ts matches ${path}`);
  return tag.name;
}
