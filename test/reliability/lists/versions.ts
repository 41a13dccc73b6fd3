// Defines the list of tokens that each build contains, and the expected responses to queries of this list.
import type { Random } from '../../support/random.ts';

export const TOKENS = 130;
const PLACES = 1_009;

/** The values of a token in one build. */
interface Version {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly isListed: boolean;
}

/**
 * Returns the values of a token in a build. Each build renames a seventh of the tokens, changes a fifth, and omits
 * some.
 */
export function versionOf(token: number, build: number): Version {
  const place = (token * 37 + 11 * Math.floor((build + (token % 7)) / 7)) % PLACES;
  return {
    name: `N${String(place).padStart(4, '0')}`,
    symbol: `S${token}`,
    decimals: Math.floor((build + (token % 5)) / 5) % 200,
    isListed: (token + build) % 13 !== 0,
  };
}

/** Parameters of a request for the list. */
export interface ListQuery {
  readonly symbol?: string;
  readonly name?: string;
  readonly order?: 'desc';
  readonly limit: number;
  readonly offset: number;
}

export function drawQuery(random: Random): ListQuery {
  const part = { limit: 1 + random.below(60), offset: random.below(TOKENS) };
  return random.pick<ListQuery>([
    { symbol: `s${random.below(TOKENS)}`, limit: 20, offset: 0 },
    { symbol: `S${random.below(TOKENS)}`, limit: 20, offset: 0 },
    part,
    { ...part, order: 'desc' },
    { ...part, offset: random.below(10), name: `n0${random.below(10)}` },
  ]);
}

/** Returns the expected response in short form: the total number of rows, and the rows of the requested page. */
export function expectedOf({ symbol, name = '', order, limit, offset }: ListQuery, build: number): string {
  const all = Array.from({ length: TOKENS }, (_, token) => versionOf(token, build))
    .filter((version) => version.isListed && version.name.toLowerCase().includes(name))
    .filter((version) => symbol === undefined || version.symbol === symbol.toUpperCase())
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  if (order === 'desc') all.reverse();
  return shown(all.length, all.slice(offset, offset + limit));
}

export function shown(total: number, results: readonly Pick<Version, 'name' | 'symbol' | 'decimals'>[]): string {
  return `${total}: ${results.map((row) => `${row.name} ${row.symbol} ${row.decimals}`).join(', ')}`;
}
