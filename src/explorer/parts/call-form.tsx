// Draws a call of a read-only function: its arguments, and what a node returns.
import { useEffect, useState } from 'preact/hooks';
import type { InterfaceFunction } from '#model/contract-interface.ts';
import { exampleOf, toLiteral, typeText } from '../clarity-types.ts';
import type { ShownValue } from '../clarity-values.ts';
import { callReadOnly, keepNode, toNodeUrl } from '../node.ts';
import { toTrouble } from '../site.ts';
import { cut, Problem } from './pieces.tsx';
import type { Asked } from './use-answer.ts';

/** Asks for the node: none is called until a reader names one. */
export function NodeForm({ node, onNode }: { node: string | undefined; onNode: (node: string | undefined) => void }) {
  const [text, setText] = useState(node ?? '');
  const [isRefused, setRefused] = useState(false);
  return (
    <form
      class="call"
      onSubmit={(event) => {
        event.preventDefault();
        const url = toNodeUrl(text);
        const isOther = url === undefined && text.trim() !== '';
        setRefused(isOther);
        if (isOther) return;
        keepNode(url);
        onNode(url);
      }}
    >
      <label>
        <span class="soft">Node URL</span>
        <input
          type="text"
          inputMode="url"
          value={text}
          placeholder="https://api.hiro.so"
          onInput={(event) => setText(event.currentTarget.value)}
          autocomplete="off"
          spellcheck={false}
        />
      </label>
      <button type="submit">{node === undefined ? 'Call it' : 'Use it'}</button>
      {isRefused && (
        <p class="soft" role="alert">
          That is no URL of a node, such as http://localhost:20443.
          {node !== undefined && ` ${node} stays in use.`}
        </p>
      )}
    </form>
  );
}

interface Props {
  readonly node: string;
  readonly contractId: string;
  readonly of: InterfaceFunction;
  readonly isCalledAtOnce: boolean;
}

export function CallForm({ node, contractId, of: { name, args }, isCalledAtOnce }: Props) {
  const [typed, setTyped] = useState(args.map(() => ''));
  const [asked, setAsked] = useState<Asked<ShownValue>>();
  const call = () => {
    setAsked({ state: 'waiting' });
    const literals = args.map((one, index) => ({ name: one.name, literal: toLiteral(one.type, typed[index] ?? '') }));
    callReadOnly(node, { contractId, name, args: literals }).then(
      (answer) => setAsked({ state: 'there', answer }),
      (error: unknown) => setAsked({ state: 'trouble', trouble: toTrouble(error) }),
    );
  };
  useEffect(() => {
    if (isCalledAtOnce) call();
  }, []);
  return (
    <>
      <form
        class="call"
        onSubmit={(event) => {
          event.preventDefault();
          call();
        }}
      >
        {args.map((one, index) => (
          <label key={one.name}>
            <span class="soft">
              {one.name} {typeText(one.type)}
            </span>
            <input
              type="text"
              value={typed[index]}
              placeholder={exampleOf(one.type)}
              onInput={({ currentTarget: { value } }) => setTyped(typed.with(index, value))}
              autocomplete="off"
              spellcheck={false}
            />
          </label>
        ))}
        <button type="submit" aria-label={`Call ${name}`}>
          Call
        </button>
      </form>
      <div class="returned" role="status">
        {asked?.state === 'waiting' && <span class="soft">Calling…</span>}
        {asked?.state === 'trouble' && <Problem trouble={asked.trouble} />}
        {asked?.state === 'there' && (
          <>
            <pre class="json">{cut(asked.answer.clarity)}</pre>
            <details>
              <summary>As JSON</summary>
              <pre class="json">{cut(asked.answer.json)}</pre>
            </details>
          </>
        )}
      </div>
    </>
  );
}
