// Route extended/v1/contract/<contract id>: the deploy, source and interface of a contract (service specification 4.3).

import { fillPath } from '#layout/response-files.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { HEADER_RULES } from '#serving/headers.ts';
import { type ContractFacts, contracts } from './contracts.ts';
import { type Described, jsonPage, type Route, type Zod } from './route.ts';

const schema = (z: Zod) =>
  z.strictObject({
    tx_id: z.string().regex(/^0x[0-9a-f]{64}$/),
    canonical: z.boolean(),
    contract_id: z.string().regex(PRINCIPAL_PATTERN),
    block_height: z.int().nonnegative(),
    clarity_version: z.int().positive().nullable(),
    source_code: z.string(),
    abi: z.string().nullable().describe('The contract interface as compact JSON text; null if unknown'),
  });

export type ContractInfo = Described<typeof schema>;

export const contractInfo: Route<ContractFacts> = {
  id: 'contract-info',
  path: 'extended/v1/contract/{contract_id}',
  summary: 'Contract info: deploy, source, interface',
  parameters: [{ name: 'contract_id', pattern: PRINCIPAL_PATTERN }],
  schema,
  headers: HEADER_RULES.contract,
  notFound: { status: 404, body: { error: 'Not Found', message: 'cannot find contract by ID' } },
  badRequest: {
    status: 400,
    body: { error: 'Bad Request', message: 'contract_id must be <contract address>.<contract name>' },
  },
  inBuilds: 'all',

  subject: contracts,

  render({ contract, code }) {
    const response: ContractInfo = {
      tx_id: contract.txId,
      canonical: contract.canonical,
      contract_id: contract.contractId,
      block_height: contract.blockHeight,
      clarity_version: contract.clarityVersion ?? null,
      source_code: code.source,
      abi: code.interfaceJson ?? null,
    };
    return [jsonPage(fillPath(contractInfo, { contract_id: contract.contractId }), response)];
  },
};
