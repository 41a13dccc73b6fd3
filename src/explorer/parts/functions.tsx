// Draws functions of a contract's interface; the read-only ones can be called at a node that the reader names.
import { useState } from 'preact/hooks';
import type { InterfaceFunction } from '#model/contract-interface.ts';
import { typeText } from '../clarity-types.ts';
import { readNode } from '../node.ts';
import { CallForm, NodeForm } from './call-form.tsx';
import { Defined } from './pieces.tsx';

/** A contract with more getters would be many calls at once. */
const CALLED_AT_ONCE = 20;

interface Props {
  readonly title: string;
  readonly functions: readonly InterfaceFunction[];
  readonly contractId: string;
  /** The line of each definition. */
  readonly lines: ReadonlyMap<string, number>;
}

export function Functions({ title, functions, ...own }: Props) {
  if (functions.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="functions">
        {functions.map((one) => (
          <li key={one.name}>
            <Signature of={one} {...own} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export function ReadOnlyFunctions({ functions, ...own }: Omit<Props, 'title'>) {
  const [node, setNode] = useState(readNode);
  if (functions.length === 0) return null;
  const atOnce = new Set(functions.filter(({ args }) => args.length === 0).slice(0, CALLED_AT_ONCE));
  return (
    <section>
      <h2>Read-only functions</h2>
      <NodeForm node={node} onNode={setNode} />
      <ul class="functions">
        {functions.map((one) => (
          <li key={one.name}>
            <Signature of={one} {...own} />
            {node !== undefined && (
              <CallForm key={node} node={node} contractId={own.contractId} of={one} isCalledAtOnce={atOnce.has(one)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

type SignatureProps = Pick<Props, 'contractId' | 'lines'> & { readonly of: InterfaceFunction };

function Signature({ of: { name, args, outputs }, contractId, lines }: SignatureProps) {
  return (
    <code>
      (<Defined name={name} line={lines.get(name)} contractId={contractId} />
      {args.map((one) => (
        <span key={one.name}>
          {' '}
          ({one.name} <span class="soft">{typeText(one.type)}</span>)
        </span>
      ))}
      ) → <span class="soft">{typeText(outputs.type)}</span>
    </code>
  );
}
