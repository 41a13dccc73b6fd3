// Draws the page of a token, a collection or a contract that the site lacks. Nothing on it looks like a token.
import { useLayoutEffect } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import { Crumbs } from '../parts/basics.tsx';
import { Heading } from '../parts/heading.tsx';
import { Id } from '../parts/id.tsx';
import { useResponse } from '../parts/use-response.ts';
import type { ApiStatus, ContractInfo } from '../responses.ts';

export function NoToken({ id, title, isContract = false }: { id: string; title: string; isContract?: boolean }) {
  const { address, name } = splitContractId(id);
  const contract = useResponse<ContractInfo>(isContract ? undefined : `extended/v1/contract/${id}`);
  const status = useResponse<ApiStatus>('metadata/v1/index.json');
  const height = status.content?.chain_tip?.block_height;
  // The heading that this page replaces may have had the focus.
  useLayoutEffect(() => {
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, []);
  const newer = height === undefined ? '' : `, or the contract is newer than block ${formatCount(height)}`;
  return (
    <>
      <Crumbs trail={[['Not found']]} />
      <Heading title={title} />
      <div class="blank">
        <p>
          <Id id={id} isFull />
        </p>
        {contract.content === undefined ? (
          <>
            <p>This site knows no contract with this id. The link may be mistyped{newer}.</p>
            <div class="row">
              <a class="btn go" href={`#/address/${address}`}>
                All contracts of this address
              </a>
              <a class="btn" href={`#/search/${name}`}>
                Search for “{name}”
              </a>
            </div>
          </>
        ) : (
          <>
            <p>This contract is not a token of this kind.</p>
            <div class="row">
              <a class="btn go" href={`#/contract/${id}`}>
                Open the contract
              </a>
            </div>
          </>
        )}
      </div>
    </>
  );
}
