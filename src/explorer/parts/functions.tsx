// Draws the functions of a contract's interface; the read-only ones can be called at a node that the reader names.
import { useMemo, useState } from 'preact/hooks';
import type { ContractInterface, InterfaceFunction } from '#model/contract-interface.ts';
import { definitionLines } from '../clarity-tokens.ts';
import { typeText } from '../clarity-types.ts';
import { readNode } from '../node.ts';
import { CallForm, NodeForm } from './call-form.tsx';

interface Props {
  readonly contractId: string;
  readonly abi: string | null;
  readonly source: string;
}

/** A contract with more getters would be many calls at once. */
const CALLED_AT_ONCE = 20;

export function Functions({ contractId, abi, source }: Props) {
  const functions = useMemo(() => readFunctions(abi), [abi]);
  const lines = useMemo(() => definitionLines(source), [source]);
  const [node, setNode] = useState(readNode);
  if (functions.length === 0) return <p class="soft">No interface is known.</p>;
  const of = (access: InterfaceFunction['access']) => functions.filter((one) => one.access === access);
  const [readOnly, open] = [of('read_only'), of('public')];
  const draw = (one: InterfaceFunction) => <Signature of={one} line={lines.get(one.name)} contractId={contractId} />;
  const atOnce = new Set(readOnly.filter(({ args }) => args.length === 0).slice(0, CALLED_AT_ONCE));
  return (
    <>
      {readOnly.length > 0 && (
        <section>
          <h2>Read-only functions</h2>
          <NodeForm node={node} onNode={setNode} />
          <ul class="functions">
            {readOnly.map((one) => (
              <li key={one.name}>
                {draw(one)}
                {node !== undefined && (
                  <CallForm key={node} node={node} contractId={contractId} of={one} isCalledAtOnce={atOnce.has(one)} />
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {open.length > 0 && (
        <section>
          <h2>Public functions</h2>
          <ul class="functions">
            {open.map((one) => (
              <li key={one.name}>{draw(one)}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface SignatureProps {
  readonly of: InterfaceFunction;
  /** The line of its definition. */
  readonly line: number | undefined;
  readonly contractId: string;
}

/** Its name leads to its definition. */
function Signature({ of: { name, args, outputs }, line, contractId }: SignatureProps) {
  return (
    <code>
      ({line === undefined ? name : <a href={`#/contract/${contractId}/${line}`}>{name}</a>}
      {args.map((one) => (
        <>
          {' '}
          ({one.name} <span class="soft">{typeText(one.type)}</span>)
        </>
      ))}
      ) → <span class="soft">{typeText(outputs.type)}</span>
    </code>
  );
}

function readFunctions(abi: string | null): readonly InterfaceFunction[] {
  try {
    return (JSON.parse(abi ?? 'null') as ContractInterface | null)?.functions ?? [];
  } catch {
    return [];
  }
}
