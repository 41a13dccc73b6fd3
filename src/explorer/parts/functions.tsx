// Draws functions of a contract's interface; the read-only ones can be called at a node that the reader names.
import { useState } from 'preact/hooks';
import type { InterfaceFunction } from '#model/contract-interface.ts';
import { exampleOf, toLiteral, typeText } from '../clarity-types.ts';
import type { ShownValue } from '../clarity-values.ts';
import { callReadOnly, keepNode, readNode, toNodeUrl } from '../node.ts';
import { Field, Form } from './form.tsx';
import { cut, Problem, Section } from './pieces.tsx';
import { useTask } from './use-response.ts';

/** A contract with more getters would be many calls at once. */
const CALLED_AT_ONCE = 20;

/** The contract, and the line of each of its definitions. */
interface DefinedIn {
  readonly contractId: string;
  readonly lines: ReadonlyMap<string, number>;
}

interface Props {
  readonly title: string;
  readonly functions: readonly InterfaceFunction[];
  readonly definedIn: DefinedIn;
}

export function Defined({ name, contractId, lines }: DefinedIn & { name: string }) {
  const line = lines.get(name);
  return line === undefined ? <span>{name}</span> : <a href={`#/contract/${contractId}/${line}`}>{name}</a>;
}

/** With a form for the node, where the functions can be called. */
export function Functions({ title, functions, definedIn, areCallable = false }: Props & { areCallable?: boolean }) {
  const [node, setNode] = useState(readNode);
  if (functions.length === 0) return null;
  const atOnce = new Set(functions.filter(({ args }) => args.length === 0).slice(0, CALLED_AT_ONCE));
  return (
    <Section title={title}>
      {areCallable && <NodeForm node={node} onNode={setNode} />}
      <ul class="functions">
        {functions.map((one) => (
          <li key={one.name}>
            <Signature of={one} {...definedIn} />
            {areCallable && node !== undefined && (
              <CallForm
                key={node}
                node={node}
                contractId={definedIn.contractId}
                of={one}
                isCalledAtOnce={atOnce.has(one)}
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Signature({ of: { name, args, outputs }, ...definedIn }: DefinedIn & { of: InterfaceFunction }) {
  return (
    <code>
      (<Defined name={name} {...definedIn} />
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

/** Asks for the node: none is called until a reader names one. */
function NodeForm({ node, onNode }: { node: string | undefined; onNode: (node: string | undefined) => void }) {
  const [text, setText] = useState(node ?? '');
  const use = () => {
    const url = toNodeUrl(text);
    if (url === undefined && text.trim() !== '')
      return `That is no URL of a node, such as http://localhost:20443.${node === undefined ? '' : ` ${node} stays in use.`}`;
    keepNode(url);
    onNode(url);
    return undefined;
  };
  return (
    <Form button={node === undefined ? 'Call it' : 'Use it'} onSubmit={use}>
      <Field label="Node URL" inputMode="url" placeholder="https://api.hiro.so" value={text} onInput={setText} />
    </Form>
  );
}

interface CallProps {
  readonly node: string;
  readonly contractId: string;
  readonly of: InterfaceFunction;
  readonly isCalledAtOnce: boolean;
}

function CallForm({ node, contractId, of: { name, args }, isCalledAtOnce }: CallProps) {
  const [typed, setTyped] = useState(args.map(() => ''));
  const [calls, setCalls] = useState(isCalledAtOnce ? 1 : 0);
  const { answer, trouble } = useTask<ShownValue>(calls === 0 ? undefined : String(calls), async (show) => {
    const literals = args.map((one, index) => ({ name: one.name, literal: toLiteral(one.type, typed[index] ?? '') }));
    show(await callReadOnly(node, { contractId, name, args: literals }));
  });
  const call = () => {
    setCalls(calls + 1);
    return undefined;
  };
  return (
    <>
      <Form button="Call" label={`Call ${name}`} onSubmit={call}>
        {args.map((one, index) => (
          <Field
            key={one.name}
            label={`${one.name} ${typeText(one.type)}`}
            placeholder={exampleOf(one.type)}
            value={typed[index] ?? ''}
            onInput={(text) => setTyped(typed.with(index, text))}
          />
        ))}
      </Form>
      <div class="returned" role="status">
        {calls > 0 && answer === undefined && trouble === undefined && <span class="soft">Calling…</span>}
        <Problem trouble={trouble} />
        {answer !== undefined && (
          <>
            <pre class="json">{cut(answer.clarity)}</pre>
            <details>
              <summary>As JSON</summary>
              <pre class="json">{cut(answer.json)}</pre>
            </details>
          </>
        )}
      </div>
    </>
  );
}
