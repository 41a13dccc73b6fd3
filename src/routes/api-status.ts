// Route metadata/v1/: describes the data that the build contains, in the format of the public API's status.
import { indexFile } from '#layout/response-files.ts';
import { chainName } from '#model/chain.ts';
import { newestContracts } from '#store/contracts/newest-contracts.ts';
import { readInfo } from '#store/index-info.ts';
import { readSummary, type Summary } from '#store/status/summary.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { type Described, jsonPage, type Route, type Zod } from './route.ts';
import { siteSubject, standardsOf } from './subject.ts';

function schema(z: Zod) {
  const count = z.int().nonnegative();
  return z.strictObject({
    server_version: z.string(),
    status: z.literal('ready').describe('A build is always ready'),
    site_hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe('Hash of the paths and bytes of all other responses, to compare two sites'),
    vm_version: z
      .string()
      .optional()
      .describe('Package and version of the Clarity VM that evaluated the tokens; omitted if none did'),
    chain: z.string().optional().describe('Name of the chain: Mainnet, Testnet, or its id; omitted if unknown'),
    chain_tip: z
      .strictObject({
        block_height: count,
        index_block_hash: z.string().optional().describe('Only if blocks were indexed'),
        burn_block_height: count.optional(),
        burn_block_time: z.string().optional().describe('ISO 8601, UTC'),
      })
      .optional()
      .describe('Chain tip of the index; omitted if unknown'),
    tokens: z
      .strictObject({ ft: count, nft: count, sft: count })
      .describe('Number of fungible tokens with metadata or on-chain values, and of tokens of collections'),
    token_contracts: z.strictObject({ 'sip-009': count, 'sip-010': count, 'sip-013': count }),
    contracts: count,
    interfaces: z
      .strictObject({
        computed: count.describe('Contracts whose interface the Clarity VM computed because no source provided it'),
        missing: count.describe('Contracts without an interface'),
        missing_contracts: z
          .array(z.string())
          .describe('The first hundred contracts without an interface, by contract id'),
      })
      .describe('Contracts whose interface no archive or API provided'),
    ft_states: z
      .strictObject({ complete: count, partial: count, queued: count, error: count })
      .describe('Number of fungible tokens in each state'),
    newest_contracts: z
      .array(z.strictObject({ contract_id: z.string(), block_height: count }))
      .describe('Newest contracts, newest first: one of each address, and one of names that differ only in digits'),
  });
}

export type ApiStatus = Described<typeof schema>;

type StatusFacts = Summary & {
  readonly chainId: number | undefined;
  readonly newest: Awaited<ReturnType<typeof newestContracts>>;
};

export const apiStatus: Route<StatusFacts> = {
  id: 'api-status',
  path: 'metadata/v1',
  summary: 'Status: the chain tip, and the number of tokens and contracts',
  parameters: [],
  schema,
  inBuilds: 'all',

  subject: siteSubject(
    async (store, options) => ({
      ...(await readSummary(store)),
      chainId: (await readInfo(store)).chainId,
      newest: await newestContracts(store, standardsOf(options)),
    }),
    { showsSiteHash: true },
  ),

  render(
    { tip, chainId, vmVersion, contracts, interfaces, states: { complete, partial, queued, error }, numbered, newest },
    { siteHash },
  ) {
    const response: ApiStatus = {
      server_version: `${packageJson.name} ${packageJson.version}`,
      status: 'ready',
      site_hash: siteHash,
      vm_version: vmVersion,
      chain: chainId === undefined ? undefined : chainName(chainId),
      chain_tip: tip && {
        block_height: tip.height,
        index_block_hash: tip.block?.indexBlockHash,
        burn_block_height: tip.block?.burnBlockHeight,
        burn_block_time: tip.minedAt,
      },
      tokens: { ft: complete + partial, nft: numbered['sip-009'], sft: numbered['sip-013'] },
      token_contracts: contracts.byStandard,
      contracts: contracts.contracts,
      interfaces: {
        computed: interfaces.computed,
        missing: interfaces.missing,
        missing_contracts: [...interfaces.missingIds],
      },
      ft_states: { complete, partial, queued, error },
      newest_contracts: newest.map(({ contractId, height }) => ({ contract_id: contractId, block_height: height })),
    };
    return [jsonPage(indexFile(apiStatus), response)];
  },
};
