// Draws what a contract defines: functions, variables, maps, constants, assets and traits, from its interface and source.
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ClarityType, ContractInterface } from '#model/contract-interface.ts';
import { principalOf } from '../clarity-tokens.ts';
import { typeText } from '../clarity-types.ts';
import { type Definition, findDefinitions } from '../definitions.ts';
import { Functions, ReadOnlyFunctions } from './functions.tsx';
import { Defined } from './pieces.tsx';

interface Props {
  readonly contractId: string;
  readonly abi: string | null;
  readonly source: string;
}

export function Interface({ contractId, abi, source }: Props) {
  const known = useMemo(() => parseInterface(abi), [abi]);
  const definitions = useMemo(() => findDefinitions(source), [source]);
  const lines = new Map(definitions.map(({ name, line }) => [name, line]));
  const traits = definitions.filter(({ form }) => form.endsWith('-trait'));
  const own = { contractId, lines };
  const {
    functions = [],
    variables = [],
    maps = [],
    fungible_tokens: fts = [],
    non_fungible_tokens: nfts = [],
  } = known;
  const of = (access: string) => functions.filter((one) => one.access === access);
  const entry = (name: string, ...types: readonly ClarityType[]) => (
    <Entry key={name}>
      <Defined name={name} line={lines.get(name)} contractId={contractId} />{' '}
      <span class="soft">{types.map(typeText).join(' → ')}</span>
    </Entry>
  );
  return (
    <>
      {abi === null && <p class="soft">No interface is known: these are the definitions of the source.</p>}
      {abi === null && (
        <Section title="Definitions">
          {definitions
            .filter((one) => !traits.includes(one))
            .map(({ form, name }) => (
              <Entry key={name}>
                {form} <Defined name={name} line={lines.get(name)} contractId={contractId} />
              </Entry>
            ))}
        </Section>
      )}
      <ReadOnlyFunctions functions={of('read_only')} {...own} />
      <Functions title="Public functions" functions={of('public')} {...own} />
      <Functions title="Private functions" functions={of('private')} {...own} />
      <Section title="Variables">
        {variables.filter(({ access }) => access === 'variable').map(({ name, type }) => entry(name, type))}
      </Section>
      <Section title="Maps">{maps.map(({ name, key, value }) => entry(name, key, value))}</Section>
      <Section title="Constants">
        {variables.filter(({ access }) => access === 'constant').map(({ name, type }) => entry(name, type))}
      </Section>
      <Section title="Assets">
        {[...fts.map(({ name }) => entry(name)), ...nfts.map(({ name, type }) => entry(name, type))]}
      </Section>
      <Section title="Traits">
        {traits.map((trait) => (
          <Trait key={trait.line} trait={trait} contractId={contractId} />
        ))}
      </Section>
    </>
  );
}

const VERBS: Readonly<Record<string, string>> = {
  'define-trait': 'defines',
  'impl-trait': 'implements',
  'use-trait': 'uses',
};

function Trait({ trait: { form, name, line }, contractId }: { trait: Definition; contractId: string }) {
  const contract = /^['.]/.test(name) ? principalOf(name, contractId) : undefined;
  return (
    <Entry>
      {VERBS[form] ?? form} <Defined name={name} line={line} contractId={contractId} />{' '}
      {contract !== undefined && <a href={`#/contract/${contract}`}>its contract</a>}
    </Entry>
  );
}

function Section({ title, children }: { title: string; children: readonly ComponentChildren[] }) {
  if (children.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="functions">{children}</ul>
    </section>
  );
}

function Entry({ children }: { children: ComponentChildren }) {
  return (
    <li>
      <code>{children}</code>
    </li>
  );
}

function parseInterface(abi: string | null): Partial<ContractInterface> {
  try {
    return (JSON.parse(abi ?? '{}') ?? {}) as Partial<ContractInterface>;
  } catch {
    return {};
  }
}
