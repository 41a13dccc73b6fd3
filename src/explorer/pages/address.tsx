// Draws an address: its tokens and collections, and all contracts that it deployed, to be filtered by name.
import { useEffect, useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import type { ContractFence } from '../find-contracts.ts';
import { sortTokens, type TokenRow } from '../find-tokens.ts';
import { shortAddress } from '../format.ts';
import { Heading } from '../parts/heading.tsx';
import { Copyable, Problem } from '../parts/pieces.tsx';
import { TokenLink } from '../parts/token-link.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { type Deployed, readDeployer } from '../read-deployer.ts';
import { ask, type Trouble, toTrouble } from '../site.ts';
import { useKept } from '../visits.ts';

const SHOWN_AT_ONCE = 200;

export function Address({ address }: { address: string }) {
  const tokens = useAnswer<TokenRow[]>('search/tokens/index.json');
  // Kept, so that whoever goes back finds the list as long as it was.
  const [deployed, setDeployed] = useKept<Deployed>('deployed', { ids: [], isWhole: false });
  const { ids, isWhole } = deployed;
  const [shown, setShown] = useKept('shown', SHOWN_AT_ONCE);
  const [part, setPart] = useKept('part', '');
  const [trouble, setTrouble] = useState<Trouble>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    setTrouble(undefined);
    // A list that is there already grows, or is whole.
    const show = (now: Deployed) => {
      if (isCurrent && (now.isWhole || now.ids.length > ids.length)) setDeployed(now);
      return isCurrent;
    };
    ask<ContractFence>('search/contracts/index.json')
      .then((fence) => readDeployer(fence, (id) => ask(`search/contracts/${id}`), address, show))
      .catch((error: unknown) => isCurrent && setTrouble(toTrouble(error)));
    return () => {
      isCurrent = false;
    };
  }, [address, tries]);
  const own = tokens.state === 'there' ? tokens.answer.filter(([, id]) => id.startsWith(`${address}.`)) : [];
  const chosen = ids.filter((id) => id.toLowerCase().includes(part.trim().toLowerCase(), address.length + 1));
  return (
    <>
      <Heading title={`Address ${shortAddress(address)}`} />
      <p>
        <Copyable text={address} />
      </p>
      {own.length > 0 && (
        <section>
          <h2>Tokens and collections</h2>
          <ul class="tokens">
            {sortTokens(own)
              .slice(0, shown)
              .map((row) => (
                <li key={row[1]}>
                  <TokenLink row={row} isNameAlone />
                </li>
              ))}
          </ul>
        </section>
      )}
      <section>
        <h2>Contracts that it deployed</h2>
        {trouble !== undefined && <Problem trouble={trouble} retry={() => setTries(tries + 1)} />}
        <p class="soft" role="status">
          {isWhole && (ids.length === 0 ? 'None is known.' : `${formatCount(ids.length)} in all.`)}
        </p>
        {!isWhole && trouble === undefined && <p class="soft">{formatCount(ids.length)} so far…</p>}
        {ids.length > 20 && (
          <label class="field">
            <span class="soft">With this in their name</span>
            <input
              type="text"
              value={part}
              onInput={(event) => setPart(event.currentTarget.value)}
              spellcheck={false}
            />
          </label>
        )}
        <ul class="names">
          {chosen.slice(0, shown).map((id) => (
            <li key={id}>
              <a href={`#/contract/${id}`}>{splitContractId(id).name}</a>
            </li>
          ))}
        </ul>
        {chosen.length > shown && (
          <button type="button" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
            {formatCount(chosen.length - shown)} more
          </button>
        )}
      </section>
    </>
  );
}
