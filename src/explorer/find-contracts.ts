// Finds contracts as a program does that has nothing but the search files: the fence, and the blocks that it names.
type BlockRow = readonly [string, ...(string | number)[]];

type Fence = readonly (readonly [string, string])[];

export interface ContractFence {
  readonly names: Fence;
  readonly families: Readonly<Record<string, Fence>>;
  readonly addresses: Fence;
}

/** The rows of a block, by its id. */
export type ReadBlock = (id: string) => Promise<readonly BlockRow[]>;

/** What an id of a contract begins with: a name may look like an address, and an address has no I, L, O or U. */
const ADDRESS = /^S[MNPT][0-9A-HJKMNP-TV-Z]*(?:\.|$)/;

/** The contracts whose name or id begins so, or the first of them. */
export async function findContracts(fence: ContractFence, read: ReadBlock, prefix: string): Promise<string[]> {
  const byAddress = ADDRESS.test(prefix) ? await findIn(fence.addresses, read, prefix, true) : [];
  if (byAddress.length > 0) return byAddress;
  const family = familyOf(fence, prefix);
  const inFamily = family === undefined ? [] : await findIn(family, read, prefix, false);
  return inFamily.length > 0 ? inFamily : findIn(fence.names, read, prefix, false);
}

export interface Progress {
  /** Contract ids. */
  readonly found: readonly string[];
  /** Blocks, so far and in all. */
  readonly read: number;
  readonly of: number;
}

/** As many requests as a browser makes to a host at once. */
const AT_ONCE = 6;

/** The contracts whose name has the text in it, by reading all names. `show` says whether to go on. */
export async function findEverywhere(
  { names, families }: ContractFence,
  readBlock: ReadBlock,
  text: string,
  show: (progress: Progress) => boolean,
): Promise<void> {
  const blocks = [...names, ...Object.values(families).flat()];
  const of = blocks.length;
  const part = text.toLowerCase();
  const found: string[] = [];
  let read = 0;
  let isWanted = show({ found: [], read, of });
  const work = async () => {
    for (let block = blocks.shift(); block !== undefined && isWanted; block = blocks.shift()) {
      for (const row of await readBlock(block[1])) {
        // The row of a family has no contract: its own blocks have them.
        if (typeof row[1] === 'string' && row[0].toLowerCase().includes(part)) found.push(...contractsOf(row, false));
      }
      isWanted = show({ found: [...found], read: ++read, of });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** In the last block that begins with the prefix or before it, or in the next one where that begins with it. */
async function findIn(order: Fence, read: ReadBlock, prefix: string, isAddress: boolean): Promise<string[]> {
  const key = isAddress ? prefix : prefix.toLowerCase();
  const last = order.findLastIndex(([first]) => first <= key);
  for (const [index, [first, id]] of order.slice(Math.max(0, last), last + 2).entries()) {
    if (index > 0 && !first.startsWith(key)) break;
    const rows = await read(id);
    const found = rows.flatMap((row) => contractsOf(row, isAddress)).filter((one) => begins(one, prefix, isAddress));
    if (found.length > 0) return found;
  }
  return [];
}

/** A family whose members may begin so: what is typed has digits where its pattern has them. */
function familyOf({ families }: ContractFence, prefix: string): Fence | undefined {
  const typed = prefix.toLowerCase().replaceAll(/\d+/g, '#');
  const pattern = typed.includes('#') ? Object.keys(families).find((one) => one.startsWith(typed)) : undefined;
  return pattern === undefined ? undefined : families[pattern];
}

function contractsOf([group, ...members]: BlockRow, isAddress: boolean): string[] {
  return members.map((member) =>
    typeof member === 'number' ? `${group} x ${member}` : isAddress ? `${group}.${member}` : `${member}.${group}`,
  );
}

function begins(contract: string, prefix: string, isAddress: boolean): boolean {
  if (isAddress || contract.includes(' ')) return contract.startsWith(prefix);
  return contract
    .slice(contract.indexOf('.') + 1)
    .toLowerCase()
    .startsWith(prefix.toLowerCase());
}
