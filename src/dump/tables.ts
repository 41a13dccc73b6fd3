// Lists the tables of a dump with their columns, in order: what each is, for whoever counts.

type Column = readonly [type: 'text' | 'number' | 'flag', about: string];

const TOKEN_STATE = 'complete (values and metadata), partial (values), error, or queued';
const REASON = { failure_code: ['text', 'Why it lacks an answer or metadata'], failure_message: ['text', ''] } as const;
const DEPLOY = {
  tx_id: ['text', 'Transaction of the deploy'],
  sender_address: ['text', 'Who deployed it'],
  block_height: ['number', 'Block of the deploy'],
} as const;
const METADATA = {
  image_uri: ['text', "The site's copy of the image"],
  image_thumbnail_uri: ['text', ''],
  metadata: ['text', 'JSON of SIP-016, as the answers have it'],
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
      image_canonical_uri: ['text', 'The image that the metadata names'],
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
      tokens: ['number', 'Tokens minted on the canonical chain, burned ones too'],
      left_out: ['number', 'Tokens left out because of --max-nft-tokens'],
      ...DEPLOY,
      failure_code: ['text', 'Why values or tokens may be missing'],
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
      token_uri: ['text', 'With its number filled in'],
      ...SUPPLY,
      name: ['text', 'From its metadata'],
      ...METADATA,
      ...REASON,
    },
  },
  contracts: {
    about: 'Contracts, by id; without their sources',
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
      'Values of tokens, each with its source, or its reason if it has none: is_none, failure_code or pending. ' +
      'One of a collection without a token_id holds for all its tokens that have no row for that field',
    columns: {
      principal: ['text', 'The contract'],
      token_id: ['text', 'Token of a collection'],
      field: ['text', 'name, symbol, decimals, total_supply or token_uri'],
      value: ['text', 'As the contract returns it'],
      read_from: ['text', 'node, token-list, clarity-vm or events'],
      height: ['number', 'Tip of the node that answered, or block of the call or deploy that last changed it'],
      calls: ['number', 'Calls that the Clarity VM replayed and proved for it'],
      whole_contract: ['flag', 'False if the VM ran only a part of the contract'],
      is_none: ['flag', 'True if the contract returns none'],
      failure_code: ['text', 'Why it is missing, or, with a value, why it may be outdated'],
      failure_message: ['text', ''],
      pending: ['flag', 'True if it has yet to be read, or read again'],
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
  readonly [Of in Name]: {
    readonly [Key in keyof (typeof TABLES)[Of]['columns']]:
      | CellTypes[((typeof TABLES)[Of]['columns'][Key] & Column)[0]]
      | undefined;
  };
}[Name];

/** Rows of some tables, read together. */
export type Rows = { readonly [Name in TableName]?: readonly Row<Name>[] };

export function columnsOf(table: TableName): [name: string, ...Column][] {
  const columns: Readonly<Record<string, Column>> = TABLES[table].columns;
  return Object.entries(columns).map(([name, column]) => [name, ...column]);
}
