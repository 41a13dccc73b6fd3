// Draws the other tokens with the symbol of a token, and how many contracts call each.
import { isBlank } from '#model/shown-name.ts';
import { tokensWithSymbol } from '../find-tokens.ts';
import { type TokenRows as Rows, TOKENS } from '../search.ts';
import { Section } from './heading.tsx';
import { LongTokenRows } from './rows.tsx';
import { useResponse } from './use-response.ts';

const SHOWN_AT_FIRST = 5;
const MORE = 20;

export function SameSymbol({ id, symbol }: { id: string; symbol: string | undefined }) {
  const { content } = useResponse<Rows>(isBlank(symbol) ? undefined : TOKENS);
  const rows = tokensWithSymbol(content ?? [], symbol ?? '', id);
  return (
    <Section title="Other tokens with this symbol" count={rows.length} note="By number of contracts that call them">
      <LongTokenRows rows={rows} name="shown with the same symbol" atFirst={SHOWN_AT_FIRST} step={MORE} />
    </Section>
  );
}
