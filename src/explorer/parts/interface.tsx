// Draws what a contract defines: functions, and its state in one table.
import { useMemo } from 'preact/hooks';
import type { ContractInterface } from '#model/contract-interface.ts';
import { parseJson } from '#text/parse-json.ts';
import { type Definition, findDefinitions, principalOf } from '../clarity-tokens.ts';
import { typeText } from '../clarity-types.ts';
import { type DefinedIn, Functions, ReadOnlyFunctions } from './functions.tsx';
import { Section } from './heading.tsx';
import { Id } from './id.tsx';

interface Props {
  readonly contractId: string;
  /** JSON text; null if the interface is unknown. */
  readonly abi: string | null;
  readonly source: string;
}

/** A name, what it is, and its type. */
type StateRow = readonly [name: string, kind: string, type: string];

export function Interface({ contractId, abi, source }: Props) {
  const known = useMemo(() => (parseJson(abi ?? '') ?? {}) as Partial<ContractInterface>, [abi]);
  const definitions = useMemo(() => findDefinitions(source), [source]);
  const definedIn = { contractId, lines: new Map(definitions.map(({ name, line }) => [name, line])) };
  const functions = known.functions ?? [];
  const withAccess = (access: string) => functions.filter((item) => item.access === access);
  const traits = definitions.filter(({ form }) => form.endsWith('-trait'));
  return (
    <div class="stack">
      {abi === null && (
        <section>
          <p class="soft">The interface of this contract is not known. These definitions are from its source.</p>
        </section>
      )}
      <ReadOnlyFunctions functions={withAccess('read_only')} definedIn={definedIn} />
      <Functions
        title="Public functions"
        note="Change the chain; a wallet signs them"
        functions={withAccess('public')}
        definedIn={definedIn}
      />
      <Functions
        title="Private functions"
        note="Called by this contract only"
        functions={withAccess('private')}
        definedIn={definedIn}
      />
      <State
        title={abi === null ? 'Definitions' : 'State'}
        rows={abi === null ? definitionRows(definitions) : stateRows(known)}
        definedIn={definedIn}
      />
      <Traits traits={traits} contractId={contractId} />
    </div>
  );
}

function stateRows({
  variables = [],
  maps = [],
  fungible_tokens: fts = [],
  non_fungible_tokens: nfts = [],
}: Partial<ContractInterface>): StateRow[] {
  const withAccess = (access: string) =>
    variables.filter((item) => item.access === access).map(({ name, type }) => [name, typeText(type)] as const);
  return [
    ...withAccess('variable').map(([name, type]): StateRow => [name, 'variable', type]),
    ...maps.map(({ name, key, value }): StateRow => [name, 'map', `${typeText(key)} → ${typeText(value)}`]),
    ...withAccess('constant').map(([name, type]): StateRow => [name, 'constant', type]),
    ...fts.map(({ name }): StateRow => [name, 'fungible token', '']),
    ...nfts.map(({ name, type }): StateRow => [name, 'non-fungible token', typeText(type)]),
  ];
}

function definitionRows(definitions: readonly Definition[]): StateRow[] {
  const named = definitions.filter(({ form }) => !form.endsWith('-trait'));
  return named.map(({ form, name }) => [name, form.replace('define-', '').replaceAll('-', ' '), '']);
}

interface StateProps {
  readonly title: string;
  readonly rows: readonly StateRow[];
  readonly definedIn: DefinedIn;
}

function State({ title, rows, definedIn: { contractId, lines } }: StateProps) {
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <div class="card pad scroll">
        <table class="mono">
          <tbody>
            {rows.map(([name, kind, type]) => {
              const line = lines.get(name);
              return (
                <tr key={`${kind} ${name}`}>
                  <th scope="row">
                    {line === undefined ? name : <a href={`#/contract/${contractId}/${line}`}>{name}</a>}
                  </th>
                  <td>{kind}</td>
                  <td>{type}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

const VERBS: Readonly<Record<string, string>> = {
  'define-trait': 'defined here',
  'impl-trait': 'implemented',
  'use-trait': 'used',
};

function Traits({ traits, contractId }: { traits: readonly Definition[]; contractId: string }) {
  if (traits.length === 0) return null;
  return (
    <Section title="Traits">
      <div class="card pad scroll">
        <table class="mono">
          <tbody>
            {traits.map(({ form, name, line }) => {
              const contract = /^['.]/.test(name) ? principalOf(name, contractId) : undefined;
              return (
                <tr key={line}>
                  <th scope="row">
                    <a href={`#/contract/${contractId}/${line}`}>{name.replace(/^'S[0-9A-Z]+/, '')}</a>
                  </th>
                  <td>{VERBS[form] ?? form}</td>
                  <td>
                    {contract !== undefined && <Id id={contract} href={`#/contract/${contract}`} hasCopy={false} />}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
