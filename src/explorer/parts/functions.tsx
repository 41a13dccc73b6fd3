// Draws functions of a contract's interface. Read-only ones can be called at the chosen node.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { InterfaceFunction } from '#model/contract-interface.ts';
import { exampleOf, toLiteral, typeText } from '../clarity-types.ts';
import type { ShownValue } from '../clarity-values.ts';
import { ArgumentError, callReadOnly, readNode } from '../node.ts';
import { useStored } from '../visits.ts';
import { JsonText } from './basics.tsx';
import { cut, Section } from './heading.tsx';
import { Icon } from './icon.tsx';
import { Copy } from './id.tsx';
import { NodePanel } from './node-panel.tsx';
import { Fold } from './note.tsx';
import { useTask } from './use-response.ts';

/** The maximum number of functions without arguments that are called at once. */
const MAX_CALLED_AT_ONCE = 20;
const MAX_SHORT_RESULT = 40;

/** The contract, and the line of each definition. */
export interface DefinedIn {
  readonly contractId: string;
  readonly lines: ReadonlyMap<string, number>;
}

interface Props {
  readonly title: string;
  readonly note: string;
  readonly functions: readonly InterfaceFunction[];
  readonly definedIn: DefinedIn;
}

export function Functions({ title, note, functions, definedIn }: Props) {
  if (functions.length === 0) return null;
  return (
    <Section title={title} note={note}>
      <div class="card">
        {functions.map((item) => (
          <FunctionFold key={item.name} item={item}>
            <DefinedOn name={item.name} {...definedIn} />
          </FunctionFold>
        ))}
      </div>
    </Section>
  );
}

export function ReadOnlyFunctions({ functions, definedIn }: Pick<Props, 'functions' | 'definedIn'>) {
  const [node, setNode] = useState(readNode);
  if (functions.length === 0) return null;
  const calledAtOnce = new Set(functions.filter(({ args }) => args.length === 0).slice(0, MAX_CALLED_AT_ONCE));
  return (
    <Section title="Read-only functions" note="Free to call, change nothing">
      <NodePanel node={node} onNode={setNode} />
      <div class="card gap0">
        {functions.map((item) => (
          <ReadOnlyFunction
            key={`${item.name} ${node}`}
            item={item}
            node={node}
            definedIn={definedIn}
            isCalledAtOnce={calledAtOnce.has(item)}
          />
        ))}
      </div>
    </Section>
  );
}

interface FoldProps {
  readonly item: InterfaceFunction;
  /** The value that the function returns now. */
  readonly result?: string | undefined;
  readonly children: ComponentChildren;
}

function FunctionFold({ item: { name, args, outputs }, result, children }: FoldProps) {
  const [isOpen, setOpen] = useStored(`function ${name}`, false);
  const signature = (
    <span class="sig">
      <span>
        <b>{name}</b>
        {args.map((arg, index) => (
          <span key={arg.name}>
            {index > 0 && <span class="soft">,</span>} {arg.name} <span class="soft">{typeText(arg.type)}</span>
          </span>
        ))}{' '}
        <span class="soft">→ {typeText(outputs.type)}</span>
      </span>
      {result !== undefined && <span class="t">{cut(result, MAX_SHORT_RESULT)}</span>}
    </span>
  );
  return (
    <Fold kind="fold" summary={signature} isOpen={isOpen} onToggle={setOpen}>
      <div>{children}</div>
    </Fold>
  );
}

export function DefinedOn({ name, contractId, lines }: DefinedIn & { name: string }) {
  const line = lines.get(name);
  if (line === undefined) return null;
  return (
    <p class="sm soft gap0">
      Defined on <a href={`#/contract/${contractId}/${line}`}>line {line}</a>
    </p>
  );
}

interface ReadOnlyProps {
  readonly item: InterfaceFunction;
  readonly node: string | undefined;
  readonly definedIn: DefinedIn;
  readonly isCalledAtOnce: boolean;
}

function ReadOnlyFunction({ item, node, definedIn, isCalledAtOnce }: ReadOnlyProps) {
  const { name, args } = item;
  const [typed, setTyped] = useState(args.map(() => ''));
  const [calls, setCalls] = useState(isCalledAtOnce ? 1 : 0);
  const key = node === undefined || calls === 0 ? undefined : `${node} ${calls}`;
  const { content, error } = useTask<ShownValue>(key, async (show) => {
    const literals = args.map((arg, index) => ({
      name: arg.name,
      literal: toLiteral(arg.type, typed[index] ?? ''),
      type: typeText(arg.type),
    }));
    show(await callReadOnly(node ?? '', { contractId: definedIn.contractId, name, args: literals }));
  });
  const wrong = error instanceof ArgumentError ? error.argument : undefined;
  return (
    <FunctionFold item={item} result={args.length === 0 ? content?.clarity : undefined}>
      {node !== undefined && (
        <form
          class="args"
          onSubmit={(event) => {
            event.preventDefault();
            setCalls(calls + 1);
          }}
        >
          {args.map((arg, index) => (
            <label key={arg.name}>
              <span>
                {arg.name} <span class="soft">{typeText(arg.type)}</span>
              </span>
              <input
                class="field mono"
                type="text"
                placeholder={exampleOf(arg.type)}
                value={typed[index] ?? ''}
                aria-invalid={wrong === arg.name ? 'true' : undefined}
                onInput={(event) => setTyped(typed.with(index, event.currentTarget.value))}
                autocomplete="off"
                spellcheck={false}
              />
            </label>
          ))}
          <button type="submit" class="btn go" aria-label={`Call ${name}`}>
            Call
          </button>
        </form>
      )}
      {key !== undefined && content === undefined && error === undefined && (
        <p class="sm soft gap0" role="status">
          Calling…
        </p>
      )}
      {error !== undefined && (
        <p class="note bad slim gap0" role="alert">
          <Icon name="warn" />
          <span>{error.message}</span>
        </p>
      )}
      {content !== undefined && <Result value={content} />}
      <DefinedOn name={name} {...definedIn} />
    </FunctionFold>
  );
}

function Result({ value: { clarity, json } }: { value: ShownValue }) {
  return (
    <div class="card gap0" role="status">
      <p class="tools">
        <span>
          Result <span class="soft">at the node’s latest block</span>
        </span>
        <Copy text={clarity} what="result" />
      </p>
      <JsonText>{cut(clarity)}</JsonText>
      <Fold kind="fold" summary={<span class="sm">As JSON</span>}>
        <JsonText>{cut(json)}</JsonText>
      </Fold>
    </div>
  );
}
