// Draws an address: its tokens and collections, and all contracts that it deployed, to be filtered by name.
import { splitContractId } from '#model/principal.ts';
import { formatCount } from '#text/format-count.ts';
import { findOfAddress, type Progress } from '../find-in-blocks.ts';
import { sortTokens } from '../find-tokens.ts';
import { shortAddress } from '../format.ts';
import { Copyable } from '../parts/facts.tsx';
import { Field } from '../parts/form.tsx';
import { Heading, Links, More, Problem, Section } from '../parts/pieces.tsx';
import { TokenList } from '../parts/token-link.tsx';
import { useResponse, useTask } from '../parts/use-response.ts';
import { askBlock, requestBlockIndex, TOKENS, type TokenRows } from '../search.ts';
import { useStored } from '../visits.ts';

const SHOWN_AT_ONCE = 200;
const NOTHING_YET: Progress = { found: [], read: 0, of: Number.POSITIVE_INFINITY };

export function Address({ address }: { address: string }) {
  const tokens = useResponse<TokenRows>(TOKENS);
  // Kept, so that whoever goes back finds the list as long as it was.
  const [{ found: ids, read, of }, setDeployed] = useStored<Progress>('deployed', NOTHING_YET);
  const isComplete = read === of;
  const [shown, setShown] = useStored('shown', SHOWN_AT_ONCE);
  const [part, setPart] = useStored('part', '');
  const asked = useTask<Progress>(address, async (show) =>
    findOfAddress(await requestBlockIndex(), askBlock, address, (now) => {
      const isWanted = show(now);
      // A list that is there already grows, or is whole.
      if (isWanted && (now.read === now.of || now.found.length > ids.length)) setDeployed(now);
      return isWanted;
    }),
  );
  const own = (tokens.answer ?? []).filter(([, id]) => id.startsWith(`${address}.`));
  const chosen = ids.filter((id) => id.toLowerCase().includes(part.trim().toLowerCase(), address.length + 1));
  return (
    <>
      <Heading title={`Address ${shortAddress(address)}`} />
      <p>
        <Copyable text={address} />
      </p>
      {own.length > 0 && (
        <Section title="Tokens and collections">
          <TokenList rows={sortTokens(own).slice(0, shown)} isNameAlone />
        </Section>
      )}
      <Section title="Contracts that it deployed">
        <Problem {...asked} />
        <p class="soft" role="status">
          {isComplete && (ids.length === 0 ? 'None is known.' : `${formatCount(ids.length)} in all.`)}
        </p>
        {!isComplete && asked.trouble === undefined && <p class="soft">{formatCount(ids.length)} so far…</p>}
        {ids.length > 20 && <Field label="With this in their name" kind="field" value={part} onInput={setPart} />}
        <Links
          kind="names"
          links={chosen.slice(0, shown).map((id) => ({ href: `#/contract/${id}`, text: splitContractId(id).name }))}
        />
        <More left={chosen.length - shown} onClick={() => setShown(shown + SHOWN_AT_ONCE)} />
      </Section>
    </>
  );
}
