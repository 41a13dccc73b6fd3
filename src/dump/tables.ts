// Lists the tables of a dump with their columns, in order, and describes each for the README.

type Column = readonly [type: 'text' | 'number' | 'flag', about: string];

const TOKEN_STATE = 'complete (values and metadata), partial (values), error, or queued';
const REASON = {
  failure_code: ['text', 'Reason why the response or the metadata is missing'],
  failure_message: ['text', ''],
} as const;
const DEPLOY = {
  tx_id: ['text', 'Transaction of the deploy'],
  sender_address: ['text', 'Deployer'],
  block_height: ['number', 'Block of the deploy'],
} as const;
const METADATA = {
  image_uri: ['text', "The site's copy of the image"],
  image_thumbnail_uri: ['text', ''],
  metadata: ['text', 'JSON of SIP-016, as in the responses'],
} as const;
const SUPPLY = {
  decimals: ['number', ''],
  total_supply: ['text', 'Decimal, in the smallest unit; may be as large as a UHUGEINT'],
} as const;

export const TABLES = {
  tokens: {
    about: 'Fungible tokens (SIP-010), by principal',
    columns: {
      principal: ['text', 'The contract'],
      asset_identifier: ['text', ''],
      state: ['text', TOKEN_STATE],
      name: ['text', ''],
      symbol: ['text', ''],
      ...SUPPLY,
      token_uri: ['text', ''],
      description: ['text', ''],
      image_canonical_uri: ['text', 'Image URI in the metadata'],
      ...METADATA,
      ...DEPLOY,
      ...REASON,
    },
  },
  collections: {
    about: 'Collections (SIP-009, SIP-013), by principal',
    columns: {
      principal: ['text', 'The contract'],
      standard: ['text', 'sip-009 or sip-013'],
      state: ['text', 'complete, error or queued'],
      tokens: ['number', 'Tokens minted on the canonical chain, including burned ones'],
      left_out: ['number', 'Tokens left out because of --max-nft-tokens'],
      ...DEPLOY,
      failure_code: ['text', 'Reason why values or tokens may be missing'],
      failure_message: ['text', ''],
    },
  },
  nfts: {
    about: 'Tokens of collections, by principal and number',
    columns: {
      principal: ['text', 'The collection'],
      standard: ['text', 'sip-009 or sip-013'],
      token_id: ['text', 'Decimal; may be as large as a UHUGEINT'],
      state: ['text', TOKEN_STATE],
      burned: ['flag', ''],
      token_uri: ['text', 'URI with the token number filled in'],
      ...SUPPLY,
      name: ['text', 'From its metadata'],
      ...METADATA,
      ...REASON,
    },
  },
  contracts: {
    about: 'Contracts, by id, without their sources',
    columns: {
      contract_id: ['text', ''],
      ...DEPLOY,
      canonical: ['flag', 'False if a fork orphaned it'],
      confirmed: ['flag', 'False while only a microblock includes it'],
      clarity_version: ['number', ''],
      epoch: ['text', ''],
      standard: ['text', 'sip-009, sip-010, sip-013, or none'],
    },
  },
  values: {
    about:
      'Values of tokens, each with its source, or with the reason why it is missing: is_none, failure_code or pending. ' +
      'A value of a collection without a token_id applies to all its tokens without a row for that field',
    columns: {
      principal: ['text', 'The contract'],
      token_id: ['text', 'Token of a collection'],
      field: ['text', 'name, symbol, decimals, total_supply or token_uri'],
      value: ['text', 'Value as returned by the contract'],
      read_from: ['text', 'node, token-list, clarity-vm or events'],
      height: [
        'number',
        'Tip of the node at the time of reading, or block of the last call or deploy that changed the value',
      ],
      calls: ['number', 'Number of calls that the Clarity VM replayed and proved'],
      whole_contract: ['flag', 'False if the VM ran only part of the contract'],
      is_none: ['flag', 'True if the contract returns none'],
      failure_code: ['text', 'Reason why the value is missing or may be outdated'],
      failure_message: ['text', ''],
      pending: ['flag', 'True if the value will be read, or read again'],
    },
  },
} as const satisfies Record<string, { about: string; columns: Readonly<Record<string, Column>> }>;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

interface CellTypes {
  text: string;
  number: number;
  flag: boolean;
}

export type Row<Name extends TableName = TableName> = {
  readonly [Table in Name]: {
    readonly [Key in keyof (typeof TABLES)[Table]['columns']]:
      | CellTypes[((typeof TABLES)[Table]['columns'][Key] & Column)[0]]
      | undefined;
  };
}[Name];

/** A page of rows of one or more tables. */
export type Rows = { readonly [Name in TableName]?: readonly Row<Name>[] };

export function columnsOf(table: TableName): [name: string, ...Column][] {
  const columns: Readonly<Record<string, Column>> = TABLES[table].columns;
  return Object.entries(columns).map(([name, column]) => [name, ...column]);
}
