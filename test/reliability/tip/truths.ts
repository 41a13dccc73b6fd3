// Calls every getter of the tokens in the simnet, to get the expected values at the tip of the chain.
import { Cl } from '@stacks/transactions';
import type { Program, Step, Transaction } from './program.ts';
import type { Truth } from './read-truth.ts';
import type { SimnetChain } from './simnet-chain.ts';

export interface Value {
  readonly program: string;
  readonly contractId: string;
  readonly getter: string;
  /** The token number in a collection; undefined for a fungible token. */
  readonly number: string | undefined;
  readonly truth: Truth;
  /** The name of the value: `contract getter`, or `contract getter number`. */
  readonly name: string;
}

interface Interface {
  readonly functions: readonly { readonly name: string; readonly access: string; readonly args: readonly unknown[] }[];
}

const FUNGIBLE = ['get-name', 'get-symbol', 'get-decimals', 'get-total-supply', 'get-token-uri'];

const SEMI_FUNGIBLE = ['get-decimals', 'get-total-supply', 'get-token-uri'];

/**
 * Returns the expected values of all tokens whose contract ids are in `deployed`, the contracts with a deploy in the
 * archive.
 */
export function readTruths(
  chain: SimnetChain,
  programs: readonly Program[],
  deployed: ReadonlySet<string>,
): readonly Value[] {
  const minted = mintedNumbers(chain);
  const requests = programs.flatMap((program) => {
    const contracts = contractsOf(chain, program).filter((contractId) => deployed.has(contractId));
    return contracts.flatMap((contractId) => gettersOf(chain, program, contractId, minted));
  });
  const read = ({ contractId, getter, number, isPublic }: Request) =>
    chain.read(contractId, getter, number === undefined ? [] : [Cl.uint(number)], isPublic);
  // Each call of a public getter adds a block. Getters that may return heights therefore come after most public
  // getters. Public getters that are called directly come last, because their effects remain.
  const hasEffects = ({ contractId, isPublic }: Request) => isPublic && chain.seesCaller(contractId);
  const inOrder = [
    ...requests.filter((request) => request.isPublic && !hasEffects(request)),
    ...requests.filter(({ isPublic }) => !isPublic),
    ...requests.filter(hasEffects),
  ];
  const truths = new Map(inOrder.map((request) => [request, read(request)]));
  return requests.map((request) => {
    const { program, contractId, getter, number } = request;
    const name = [contractId.split('.')[1], getter, number].filter((part) => part !== undefined).join(' ');
    const declared = program.truth?.[name];
    const truth: Truth = declared === undefined ? (truths.get(request) as Truth) : { kind: 'text', text: declared };
    return { program: program.name, contractId, getter, number, truth, name };
  });
}

interface Request {
  readonly program: Program;
  readonly contractId: string;
  readonly getter: string;
  readonly number: string | undefined;
  readonly isPublic: boolean;
}

function contractsOf(chain: SimnetChain, program: Program): string[] {
  const ids = program.steps
    .flatMap((step): readonly (Step | Transaction)[] => ('block' in step ? step.block : [step]))
    .flatMap((step) =>
      'deploy' in step ? [`${chain.address(program.name, step.by ?? 'deployer')}.${step.deploy}`] : [],
    );
  return [...new Set(ids)];
}

function gettersOf(
  chain: SimnetChain,
  program: Program,
  contractId: string,
  minted: ReadonlyMap<string, ReadonlySet<string>>,
): Request[] {
  const functions = new Map(
    (chain.interfaceOf(contractId) as Interface | null)?.functions.map((definition) => [definition.name, definition]),
  );
  const request = (getter: string, number?: string): Request => ({
    program,
    contractId,
    getter,
    number,
    isPublic: functions.get(getter)?.access === 'public',
  });
  if (!functions.has('transfer')) return [];
  if (functions.has('get-balance') && FUNGIBLE.every((getter) => functions.get(getter)?.args.length === 0))
    return FUNGIBLE.map((getter) => request(getter));
  if (functions.has('get-overall-supply'))
    return [...(minted.get(contractId) ?? [])].flatMap((number) =>
      SEMI_FUNGIBLE.map((getter) => request(getter, number)),
    );
  if (!functions.has('get-last-token-id') || !functions.has('get-owner')) return [];
  return [...(minted.get(contractId) ?? [])].map((number) => request('get-token-uri', number));
}

/** Returns the numbers of the tokens that are minted and not burned on the canonical chain, by contract. */
function mintedNumbers(chain: SimnetChain): Map<string, Set<string>> {
  const minted = new Map<string, Set<string>>();
  for (const { payload, isOrphan } of chain.blocks) {
    if (isOrphan) continue;
    for (const event of payload.events as readonly Record<string, unknown>[]) {
      const type = event.type as string;
      if (type === 'contract_event') {
        const { contract_identifier: id = '', raw_value = '' } = event[type] as Record<string, string>;
        const value = Cl.deserialize(raw_value);
        if (value.type !== 'tuple' || Cl.stringify(value.value.type ?? Cl.none()) !== '"sft_mint"') continue;
        minted.set(id, (minted.get(id) ?? new Set()).add(Cl.stringify(value.value['token-id'] ?? Cl.none()).slice(1)));
      }
      if (type !== 'nft_mint_event' && type !== 'nft_burn_event') continue;
      const { asset_identifier, raw_value } = event[type] as Record<string, string>;
      const contractId = (asset_identifier ?? '').split('::')[0] ?? '';
      const numbers = minted.get(contractId) ?? new Set();
      minted.set(contractId, numbers);
      const value = Cl.deserialize(raw_value ?? '');
      if (value.type !== 'uint') continue;
      if (type === 'nft_mint_event') numbers.add(String(value.value));
      else numbers.delete(String(value.value));
    }
  }
  return minted;
}
