// Draws contracts grouped by deployer, each group a part that opens.
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import type { ContractRow, DeployerGroup } from '../group-by-deployer.ts';
import { useStored } from '../visits.ts';
import { Id } from './id.tsx';
import { More } from './more.tsx';
import { Fold } from './note.tsx';
import { Tile } from './tile.tsx';

const GROUPS_AT_FIRST = 20;
const MORE_ROWS = 50;

interface Props {
  /** Names the list, since a page may have several. */
  readonly name: string;
  readonly groups: readonly DeployerGroup[];
  /** The number of groups that are open at first. */
  readonly openGroups: number;
  /** The number of contracts that a group shows at first. */
  readonly shownRows: number;
  /** The part of a contract that the links open. */
  readonly tab?: 'interface' | 'calls';
}

export function ByDeployer({ groups, openGroups, ...group }: Props) {
  const [shown, setShown] = useStored(`deployers of ${group.name}`, GROUPS_AT_FIRST);
  return (
    <>
      <div class="card gap0">
        {groups.slice(0, shown).map(({ address, rows }, index) => (
          <Group key={address} address={address} rows={rows} isOpenAtFirst={index < openGroups} {...group} />
        ))}
      </div>
      <More
        shown={Math.min(shown, groups.length)}
        total={groups.length}
        step={GROUPS_AT_FIRST}
        onClick={() => setShown(shown + GROUPS_AT_FIRST)}
      />
    </>
  );
}

interface GroupProps extends DeployerGroup, Pick<Props, 'name' | 'shownRows' | 'tab'> {
  readonly isOpenAtFirst: boolean;
}

function Group({ name, address, rows, isOpenAtFirst, shownRows, tab }: GroupProps) {
  const [isOpen, setOpen] = useStored(`open in ${name}: ${address}`, isOpenAtFirst);
  const [shown, setShown] = useStored(`rows in ${name}: ${address}`, shownRows);
  const summary = (
    <span class="row">
      <Tile id={address} size="s" />
      <Id id={address} hasCopy={false} />
      <span class="last soft sm num">
        {formatCount(rows.length)} {rows.length === 1 ? 'contract' : 'contracts'}
      </span>
    </span>
  );
  return (
    <Fold kind="fold" summary={summary} isOpen={isOpen} onToggle={setOpen}>
      <ul class="calls">{isOpen && rows.slice(0, shown).map((row) => <Row key={row[0]} row={row} tab={tab} />)}</ul>
      {isOpen && (
        <p class="row">
          {shown < rows.length && (
            <button type="button" class="btn small" onClick={() => setShown(shown + MORE_ROWS)}>
              Show {formatCount(Math.min(MORE_ROWS, rows.length - shown))} more
            </button>
          )}
          <a class="btn small" href={`#/address/${address}`}>
            Open this address
          </a>
        </p>
      )}
    </Fold>
  );
}

function Row({ row: [id = '', ...functions], tab }: { row: ContractRow; tab?: string | undefined }) {
  return (
    <li>
      <a href={`#/contract/${id}${tab === undefined ? '' : `/${tab}`}`}>{splitContractId(id).name}</a>
      <span>{functions.join(' ')}</span>
    </li>
  );
}
