// Lists the tables of a dump with their columns, in order. docs/dump.md describes them.

type Column = 'text' | 'number' | 'flag';

const REASON = {
  failure_code: 'text',
  failure_message: 'text',
} as const;
const DEPLOY = {
  tx_id: 'text',
  sender_address: 'text',
  block_height: 'number',
} as const;
const METADATA = {
  image_uri: 'text',
  image_thumbnail_uri: 'text',
  metadata: 'text',
} as const;
const SUPPLY = {
  decimals: 'number',
  total_supply: 'text',
} as const;

export const TABLES = {
  tokens: {
    principal: 'text',
    asset_identifier: 'text',
    state: 'text',
    name: 'text',
    symbol: 'text',
    ...SUPPLY,
    token_uri: 'text',
    description: 'text',
    image_canonical_uri: 'text',
    ...METADATA,
    ...DEPLOY,
    ...REASON,
  },
  collections: {
    principal: 'text',
    standard: 'text',
    state: 'text',
    tokens: 'number',
    left_out: 'number',
    ...DEPLOY,
    failure_code: 'text',
    failure_message: 'text',
  },
  nfts: {
    principal: 'text',
    standard: 'text',
    token_id: 'text',
    state: 'text',
    burned: 'flag',
    token_uri: 'text',
    ...SUPPLY,
    name: 'text',
    ...METADATA,
    ...REASON,
  },
  contracts: {
    contract_id: 'text',
    ...DEPLOY,
    canonical: 'flag',
    confirmed: 'flag',
    clarity_version: 'number',
    epoch: 'text',
    standard: 'text',
  },
  values: {
    principal: 'text',
    token_id: 'text',
    field: 'text',
    value: 'text',
    read_from: 'text',
    height: 'number',
    calls: 'number',
    whole_contract: 'flag',
    is_none: 'flag',
    failure_code: 'text',
    failure_message: 'text',
    pending: 'flag',
  },
} as const satisfies Record<string, Readonly<Record<string, Column>>>;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

interface CellTypes {
  text: string;
  number: number;
  flag: boolean;
}

export type Row<Name extends TableName = TableName> = {
  readonly [Table in Name]: {
    readonly [Key in keyof (typeof TABLES)[Table]]: CellTypes[(typeof TABLES)[Table][Key] & Column] | undefined;
  };
}[Name];

/** A page of rows of one or more tables. */
export type Rows = { readonly [Name in TableName]?: readonly Row<Name>[] };

export function columnsOf(table: TableName): [name: string, type: Column][] {
  return Object.entries(TABLES[table]);
}
