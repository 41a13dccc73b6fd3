// Adds indexes that keep reads quick with a hundred thousand contracts: from a deploy to its contract, and to the few
// deploys that are tokens or contracts that are not canonical.

export const largeIndexes: readonly string[] = [
  'create index contract_deploy on contract (deploy_id)',
  'create index contract_not_canonical on contract (contract_id) where canonical = 0',
  'create index deploy_standard on deploy (standard) where standard is not null',
];
