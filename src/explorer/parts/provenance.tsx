// Draws where the values of a token come from: one line, which opens to a table.
import type { ComponentChildren } from 'preact';
import { formatCount } from '#text/format-count.ts';
import type { TokenStatus } from '../responses.ts';
import { Height } from './basics.tsx';
import { Fold } from './note.tsx';

export const VALUE_NAMES: Readonly<Record<string, string>> = {
  name: 'Name',
  symbol: 'Symbol',
  decimals: 'Decimals',
  total_supply: 'Supply',
  token_uri: 'Document address',
};
const SOURCES: Readonly<Record<string, readonly [row: string, summary: string]>> = {
  'clarity-vm': ['The contract, replayed', 'the contract'],
  events: ['Mints and burns', 'mints and burns'],
  node: ['A node', 'a node'],
  'token-list': ['A token list of an API', 'a token list of an API'],
};

type Value = TokenStatus['values']['name'];
type Values = Readonly<Record<string, Value | undefined>>;

interface Props {
  readonly values: Values;
  readonly document?: TokenStatus['document'];
}

/** Opens by itself only if a value has a failure. */
export function Provenance({ values, document }: Props) {
  const known = Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  if (known.length === 0) return null;
  const bySource = Map.groupBy(known, ([, value]) => `${describe(value)} ${value.height}`);
  const hasFailure = known.some(([, { failure }]) => failure !== undefined);
  return (
    <Fold kind="from gap" summary={summaryOf(values)} isOpen={hasFailure}>
      <table>
        <thead class="unseen">
          <tr>
            <th>Value</th>
            <th>Read from</th>
            <th>As of</th>
          </tr>
        </thead>
        <tbody>
          {[...bySource].map(([source, values]) => (
            <Row
              key={source}
              name={values.map(([key]) => VALUE_NAMES[key] ?? key).join(', ')}
              time={values[0]?.[1].height !== undefined && <Height value={values[0][1].height} isShort />}
            >
              {values[0] && describe(values[0][1])}
            </Row>
          ))}
          {document !== undefined && (
            <Row name="Document">{document.failure === undefined ? document.state : document.failure.code}</Row>
          )}
          {document?.image !== undefined && (
            <Row name="Picture">
              {document.image.copied ? 'copied' : (document.image.failure?.code ?? 'not copied')}
            </Row>
          )}
        </tbody>
      </table>
    </Fold>
  );
}

interface RowProps {
  readonly name: string;
  readonly time?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Row({ name, time, children }: RowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{children}</td>
      <td class="num">{time}</td>
    </tr>
  );
}

function describe({ read_from: from, none, failure }: Value): string {
  const source = from === undefined ? undefined : (SOURCES[from]?.[0] ?? from);
  const parts = [source, none && 'none', failure?.code];
  return parts.filter((part) => typeof part === 'string').join('; ') || 'Not read yet';
}

/** Names the source of most values, and the source of the supply if it differs. */
function summaryOf(values: Values): string {
  const nameOf = (value: Value | undefined) => value?.read_from && SOURCES[value.read_from]?.[1];
  const { total_supply: supply, ...withoutSupply } = values;
  const main = Object.values(withoutSupply).find((value) => value?.read_from !== undefined) ?? supply;
  const source = nameOf(main);
  if (source === undefined) return 'Where these values come from';
  const height = Object.values(values).reduce((highest, value) => Math.max(highest, value?.height ?? -1), -1);
  const block = height === -1 ? '' : ` at block ${formatCount(height)}`;
  const supplySource = nameOf(supply);
  const end = supplySource === undefined || supplySource === source ? '' : `; supply from ${supplySource}`;
  return `Read from ${source}${block}${end}`;
}
