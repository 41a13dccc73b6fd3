// Renders an npm package with the token list: the list as JSON, its types, and a README.

import type { TokenList } from '#routes/token-list-file.ts';
import { formatCount } from '#text/format-count.ts';

const TYPES = `/** A token list in the format of tokenlists.org. */
export interface TokenList {
  readonly name: string;
  /** Time of the chain tip's burn block, ISO 8601; missing if no blocks were indexed. */
  readonly timestamp?: string;
  readonly version: { readonly major: number; readonly minor: number; readonly patch: number };
  readonly tags: Readonly<Record<string, { readonly name: string; readonly description: string }>>;
  /** Sorted by address. */
  readonly tokens: readonly Token[];
}

export interface Token {
  /** Stacks chain id: 1 for mainnet, 2147483648 for testnet. */
  readonly chainId: number;
  /** The contract principal. */
  readonly address: string;
  /** Empty if unknown. The contract chooses it, so it may be the name of another token. */
  readonly name: string;
  readonly symbol: string;
  readonly decimals?: number;
  readonly logoURI?: string;
  readonly tags: readonly string[];
  readonly extensions: { readonly assetIdentifier: string };
}

declare const tokenList: TokenList;
export default tokenList;
`;

/** Returns the contents of the files by name. `name`: of the npm package. The version comes from the tip. */
export function renderTokenListPackage(name: string, list: TokenList): Map<string, string> {
  const { major, minor, patch } = list.version;
  const version = `${major}.${minor}.${patch}`;
  const description = 'The fungible tokens of the Stacks blockchain (SIP-010), in the format of tokenlists.org';
  const packageJson = {
    ...{ name, version, description, type: 'module', sideEffects: false },
    keywords: ['stacks', 'sip-010', 'token list', 'tokens'],
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './tokenlist.json': './tokenlist.json' },
    files: ['index.js', 'index.d.ts', 'tokenlist.json'],
  };
  const asOf = list.timestamp === undefined ? '' : ` as of ${list.timestamp.slice(0, 10)}`;
  const readme = `# ${name}

${formatCount(list.tokens.length)} fungible tokens of the Stacks blockchain${asOf}: name, symbol, decimals
and logo of each, read from their contracts and metadata documents. The
format comes from [tokenlists.org](https://tokenlists.org).

    import tokenList from '${name}';

    const token = tokenList.tokens.find(({ address }) => address === 'SP….token');

The list as a file is \`${name}/tokenlist.json\`. The patch version is the height of the Bitcoin block of the chain tip,
so a newer list has a higher version. Contracts choose their names and symbols: compare addresses, not names.
`;
  return new Map([
    ['package.json', `${JSON.stringify(packageJson, null, 2)}\n`],
    ['tokenlist.json', `${JSON.stringify(list)}\n`],
    ['index.js', `export { default } from './tokenlist.json' with { type: 'json' };\n`],
    ['index.d.ts', TYPES],
    ['README.md', readme],
  ]);
}
