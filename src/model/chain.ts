// Chains and their epochs: chain ids, the burn heights at which mainnet's epochs begin, and Clarity versions.

export const MAINNET_CHAIN_ID = 1;
const TESTNET_CHAIN_ID = 0x80000000;
/** Any test chain: its boot transactions carry no chain id. */
export const UNNAMED_TEST_CHAIN = 0;
/**
 * Chain id of the bundled sample: "STXP" in ASCII. Public networks do not use it, so an index cannot contain both the
 * sample and a real chain.
 */
export const SAMPLE_CHAIN_ID = 0x53545850;

/** The known epochs, oldest first. Each has the newest Clarity version that its deploys may declare. */
export const EPOCHS = [
  { name: '2.0', interfaceName: 'Epoch20', mainnetBurnHeight: 666_050, clarityVersion: 1 },
  { name: '2.05', interfaceName: 'Epoch2_05', mainnetBurnHeight: 713_000, clarityVersion: 1 },
  { name: '2.1', interfaceName: 'Epoch21', mainnetBurnHeight: 781_551, clarityVersion: 2 },
  { name: '2.2', interfaceName: 'Epoch22', mainnetBurnHeight: 787_651, clarityVersion: 2 },
  { name: '2.3', interfaceName: 'Epoch23', mainnetBurnHeight: 788_240, clarityVersion: 2 },
  { name: '2.4', interfaceName: 'Epoch24', mainnetBurnHeight: 791_551, clarityVersion: 2 },
  { name: '2.5', interfaceName: 'Epoch25', mainnetBurnHeight: 840_360, clarityVersion: 2 },
  { name: '3.0', interfaceName: 'Epoch30', mainnetBurnHeight: 867_867, clarityVersion: 3 },
  { name: '3.1', interfaceName: 'Epoch31', mainnetBurnHeight: 875_000, clarityVersion: 3 },
  { name: '3.2', interfaceName: 'Epoch32', mainnetBurnHeight: 907_740, clarityVersion: 3 },
  { name: '3.3', interfaceName: 'Epoch33', mainnetBurnHeight: 923_222, clarityVersion: 4 },
  { name: '3.4', interfaceName: 'Epoch34', mainnetBurnHeight: 943_333, clarityVersion: 5 },
  { name: '4.0', interfaceName: 'Epoch40', mainnetBurnHeight: 960_230, clarityVersion: 6 },
] as const;

export type EpochName = (typeof EPOCHS)[number]['name'];

/**
 * Returns the epoch that a contract interface names, such as `Epoch2_05`. Undefined for an unknown name, or without a
 * name.
 */
export function epochOfInterface(interfaceName: string | undefined): (typeof EPOCHS)[number] | undefined {
  return EPOCHS.find((epoch) => epoch.interfaceName === interfaceName);
}

/**
 * Returns the chain id for the first letters of an address or principal: mainnet's id, or testnet's for any other
 * letters.
 */
export function chainIdOf(address: string): number {
  return /^S[PM]/.test(address) ? MAINNET_CHAIN_ID : TESTNET_CHAIN_ID;
}

/** Names a chain for people: `Mainnet`, `Testnet`, `Sample chain`, or its id in hex. */
export function chainName(chainId: number): string {
  const names = new Map([
    [MAINNET_CHAIN_ID, 'Mainnet'],
    [TESTNET_CHAIN_ID, 'Testnet'],
    [SAMPLE_CHAIN_ID, 'Sample chain'],
  ]);
  return names.get(chainId) ?? `Chain ${formatChainId(chainId)}`;
}

/** True if two known chains differ. An unnamed test chain may be each chain except mainnet. */
export function areOtherChains(first: number | undefined, second: number | undefined): boolean {
  if (first === undefined || second === undefined || first === second) return false;
  const chains = [first, second];
  return chains.includes(MAINNET_CHAIN_ID) || !chains.includes(UNNAMED_TEST_CHAIN);
}

/** Returns the chain of data that belongs to two chains which do not differ. A named chain replaces an unnamed one. */
export function joinChains(first: number | undefined, second: number | undefined): number | undefined {
  return first || (second ?? first);
}

/** Formats a chain id as operators write it: `0x00000001`. */
export function formatChainId(chainId: number): string {
  if (chainId === UNNAMED_TEST_CHAIN) return 'testnet';
  return `0x${chainId.toString(16).padStart(8, '0')}`;
}
