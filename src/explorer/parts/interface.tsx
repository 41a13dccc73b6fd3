// Draws what a contract defines: functions, variables, maps, constants, assets and traits.
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ClarityType, ContractInterface } from '#model/contract-interface.ts';
import { parseJson } from '#text/parse-json.ts';
import { type Definition, findDefinitions, principalOf } from '../clarity-tokens.ts';
import { typeText } from '../clarity-types.ts';
import { Defined, Functions } from './functions.tsx';
import { Section } from './pieces.tsx';

export function Interface({ contractId, abi, source }: { contractId: string; abi: string | null; source: string }) {
  const known = useMemo(() => (parseJson(abi ?? '') ?? {}) as Partial<ContractInterface>, [abi]);
  const definitions = useMemo(() => findDefinitions(source), [source]);
  const definedIn = { contractId, lines: new Map(definitions.map(({ name, line }) => [name, line])) };
  const isTrait = ({ form }: Definition) => form.endsWith('-trait');
  const {
    functions = [],
    variables = [],
    maps = [],
    fungible_tokens: fts = [],
    non_fungible_tokens: nfts = [],
  } = known;
  const of = (access: string) => functions.filter((one) => one.access === access);
  const entry = (name: string, ...types: readonly ClarityType[]) => (
    <>
      <Defined name={name} {...definedIn} /> <span class="soft">{types.map(typeText).join(' → ')}</span>
    </>
  );
  const variable = (access: string) =>
    variables.filter((one) => one.access === access).map(({ name, type }) => entry(name, type));
  return (
    <>
      {abi === null && <p class="soft">No interface is known: these are the definitions of the source.</p>}
      <Entries title="Definitions">
        {(abi === null ? definitions : [])
          .filter((one) => !isTrait(one))
          .map(({ form, name }) => (
            <>
              {form} <Defined name={name} {...definedIn} />
            </>
          ))}
      </Entries>
      <Functions title="Read-only functions" functions={of('read_only')} definedIn={definedIn} areCallable />
      <Functions title="Public functions" functions={of('public')} definedIn={definedIn} />
      <Functions title="Private functions" functions={of('private')} definedIn={definedIn} />
      <Entries title="Variables">{variable('variable')}</Entries>
      <Entries title="Maps">{maps.map(({ name, key, value }) => entry(name, key, value))}</Entries>
      <Entries title="Constants">{variable('constant')}</Entries>
      <Entries title="Assets">
        {[...fts.map(({ name }) => entry(name)), ...nfts.map(({ name, type }) => entry(name, type))]}
      </Entries>
      <Entries title="Traits">
        {definitions.filter(isTrait).map((trait) => (
          <Trait key={trait.line} trait={trait} contractId={contractId} />
        ))}
      </Entries>
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
    <>
      {VERBS[form] ?? form} <Defined name={name} contractId={contractId} lines={new Map([[name, line]])} />{' '}
      {contract !== undefined && <a href={`#/contract/${contract}`}>its contract</a>}
    </>
  );
}

function Entries({ title, children }: { title: string; children: readonly ComponentChildren[] }) {
  if (children.length === 0) return null;
  return (
    <Section title={title}>
      <ul class="functions">
        {children.map((entry, index) => (
          <li key={index}>
            <code>{entry}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}
