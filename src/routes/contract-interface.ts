// Route v2/contracts/interface/<address>/<name>: the interface of a contract, in the format of nodes.

import { fillPath } from '#layout/response-files.ts';
import { ADDRESS_PATTERN, CONTRACT_NAME_PATTERN, splitContractId } from '#model/principal.ts';
import { HEADER_RULES } from '#serving/headers.ts';
import { type ContractFacts, contracts } from './contracts.ts';
import type { Route, Zod } from './route.ts';

function schema(z: Zod) {
  const type = z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .describe('A type expression: a name, or an object with one key');
  const namedType = z.strictObject({ name: z.string(), type });
  return z.strictObject({
    functions: z.array(
      z.strictObject({
        name: z.string(),
        access: z.enum(['private', 'public', 'read_only']),
        args: z.array(namedType),
        outputs: z.strictObject({ type }),
      }),
    ),
    variables: z.array(z.strictObject({ name: z.string(), type, access: z.enum(['constant', 'variable']) })),
    maps: z.array(
      z.strictObject({
        name: z.string(),
        key: z.union([type, z.array(namedType)]),
        value: z.union([type, z.array(namedType)]),
      }),
    ),
    fungible_tokens: z.array(z.strictObject({ name: z.string() })),
    non_fungible_tokens: z.array(namedType),
    epoch: z.string().optional(),
    clarity_version: z.string().optional(),
  });
}

export const contractInterface: Route<ContractFacts> = {
  id: 'contract-interface',
  path: 'v2/contracts/interface/{contract_address}/{contract_name}',
  summary: 'Contract interface: functions, variables, maps, tokens',
  parameters: [
    { name: 'contract_address', pattern: ADDRESS_PATTERN },
    { name: 'contract_name', pattern: CONTRACT_NAME_PATTERN },
  ],
  variants: [
    {
      name: 'tip',
      summary: '`latest` includes contracts that no anchor block has confirmed yet; all other values are ignored',
      pattern: '(latest)',
      otherwise: 'response',
    },
  ],
  schema,
  headers: HEADER_RULES.contract,
  notFound: { status: 404, body: { error: 'No contract interface data found' } },
  badRequest: {
    status: 400,
    body: { error: 'Bad Request', message: 'the path must end in <contract address>/<contract name>' },
  },
  inBuilds: 'whole',

  subject: contracts,

  render({ contract, code: { interfaceJson: body } }) {
    if (body === undefined || !contract.canonical) return [];
    const { address, name } = splitContractId(contract.contractId);
    const path = fillPath(contractInterface, { contract_address: address, contract_name: name });
    if (contract.confirmed) return [{ path, body }];
    // A contract in an unconfirmed block is served only with `?tip=latest`.
    return [{ path, variant: ['tip', 'latest'], body }];
  },
};
