// Draws the other tokens with the symbol of a token, and how many contracts call each.
import { isBlank } from '#model/shown-name.ts';
import { tokensWithSymbol } from '../find-tokens.ts';
import { type TokenRows as Rows, TOKENS } from '../search.ts';
import { useStored } from '../visits.ts';
import { Section } from './heading.tsx';
import { More } from './more.tsx';
import { TokenRows } from './rows.tsx';
import { useResponse } from './use-response.ts';

const SHOWN_AT_FIRST = 5;
const MORE = 20;

export function SameSymbol({ id, symbol }: { id: string; symbol: string | undefined }) {
  const [shown, setShown] = useStored('shown with the same symbol', SHOWN_AT_FIRST);
  const { content } = useResponse<Rows>(isBlank(symbol) ? undefined : TOKENS);
  const rows = tokensWithSymbol(content ?? [], symbol ?? '', id);
  return (
    <Section title="Other tokens with this symbol" count={rows.length} note="By number of contracts that call them">
      <TokenRows rows={rows.slice(0, shown)} />
      <More
        shown={Math.min(shown, rows.length)}
        total={rows.length}
        step={MORE}
        onClick={() => setShown(shown + MORE)}
      />
    </Section>
  );
}
