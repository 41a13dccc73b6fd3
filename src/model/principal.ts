// Validates contract principals and splits them into address and name.

/** A contract principal `<address>.<name>`. A text that matches can be used as part of a path. */
export const PRINCIPAL_PATTERN = /^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$/;
export const ADDRESS_PATTERN = /^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}$/;
export const CONTRACT_NAME_PATTERN = /^[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$/;

export function isContractId(text: string): boolean {
  return PRINCIPAL_PATTERN.test(text);
}

/** Splits a contract id. The id must have passed {@link isContractId}. */
export function splitContractId(contractId: string): { address: string; name: string } {
  const dot = contractId.indexOf('.');
  return { address: contractId.slice(0, dot), name: contractId.slice(dot + 1) };
}

/** Addresses of boot contracts. These contracts call no other contracts, and some archives lack them. */
export const BOOT_ADDRESSES: ReadonlySet<string> = new Set([
  'SP000000000000000000002Q6VF78',
  'ST000000000000000000002AMW42H',
]);
