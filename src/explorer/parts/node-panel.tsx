// Draws the choice of a node for read-only calls. No node is contacted before the reader connects.
import { useEffect, useRef, useState } from 'preact/hooks';
import { isBlocked, NODES, storeNode, toNodeUrl } from '../node.ts';
import { Icon } from './icon.tsx';

const OTHER = 'other';

interface Props {
  readonly node: string | undefined;
  readonly onNode: (node: string | undefined) => void;
}

type State = 'choosing' | 'connecting' | 'connected' | 'failed';

export function NodePanel({ node, onNode }: Props) {
  const [state, setState] = useState<State>(node === undefined ? 'choosing' : 'connected');
  const [url, setUrl] = useState(node ?? NODES[0].url);
  const line = useRef<HTMLDivElement>(null);
  const wasChoosing = useRef(false);
  useEffect(() => {
    if (state === 'connected' && wasChoosing.current) line.current?.focus();
    wasChoosing.current = state !== 'connected';
  }, [state]);
  const connect = async (chosen: string) => {
    setUrl(chosen);
    setState('connecting');
    const isReached = await fetch(`${chosen}/v2/info`, { credentials: 'omit' }).then(
      ({ ok }) => ok,
      () => false,
    );
    setState(isReached ? 'connected' : 'failed');
    storeNode(isReached ? chosen : undefined);
    onNode(isReached ? chosen : undefined);
  };
  if (state === 'choosing') return <Choice url={url} onConnect={connect} />;
  const isFailed = state === 'failed';
  return (
    <>
      <div class={`note slim ${isFailed ? 'bad' : ''}`} ref={line} tabIndex={-1} role={isFailed ? 'alert' : 'status'}>
        <Icon name={isFailed ? 'warn' : 'plug'} />
        <div class="row">
          <span>
            {{ connecting: 'Connecting to', connected: 'Reading from', failed: 'Cannot reach' }[state]}{' '}
            <code>{url}</code>
          </span>
          {isFailed && (
            <button type="button" class="btn small last" onClick={() => void connect(url)}>
              Try again
            </button>
          )}
          <button type="button" class={isFailed ? 'btn small' : 'btn small last'} onClick={() => setState('choosing')}>
            {isFailed ? 'Use another node' : 'Change'}
          </button>
        </div>
      </div>
      {isFailed && (
        <p class="sm soft gap0">
          The node may be off, or it may not allow calls from web pages (CORS). Nothing else on this page needs it.
        </p>
      )}
    </>
  );
}

function Choice({ url, onConnect }: { url: string; onConnect: (url: string) => void }) {
  const isOffered = NODES.some((offered) => offered.url === url);
  const [choice, setChoice] = useState<string>(isOffered ? url : OTHER);
  const [typed, setTyped] = useState(isOffered ? '' : url);
  const [problem, setProblem] = useState<string>();
  const submit = () => {
    const chosen = choice === OTHER ? toNodeUrl(typed) : choice;
    if (chosen === undefined) setProblem('Enter the URL of a node, such as http://localhost:20443.');
    else if (isBlocked(chosen))
      setProblem('Browsers block this: the page came by HTTPS, and the node has plain HTTP. Use a node with HTTPS.');
    else onConnect(chosen);
  };
  return (
    <div class="note">
      <Icon name="plug" />
      <div>
        <h3>See what these functions return now</h3>
        <p class="sm soft">
          Your browser asks a Stacks node directly; nothing is signed, and nothing passes through this site. The node
          sees your IP address.
        </p>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <fieldset class="pick">
            <legend class="unseen">Node</legend>
            {NODES.map((offered) => (
              <label key={offered.url}>
                <input
                  type="radio"
                  name="node"
                  checked={choice === offered.url}
                  onChange={() => setChoice(offered.url)}
                />
                <span>
                  {offered.name} <code class="soft">{offered.url}</code>
                </span>
              </label>
            ))}
            <label>
              <input type="radio" name="node" checked={choice === OTHER} onChange={() => setChoice(OTHER)} />
              <span>Another node</span>
            </label>
          </fieldset>
          {choice === OTHER && (
            <label class="gap0">
              <span class="unseen">Node URL</span>
              <input
                class="field mono"
                type="text"
                inputMode="url"
                placeholder="https://node.example"
                style={{ width: '100%' }}
                value={typed}
                aria-invalid={problem === undefined ? undefined : 'true'}
                onInput={(event) => setTyped(event.currentTarget.value)}
                autocomplete="off"
                spellcheck={false}
              />
            </label>
          )}
          {problem !== undefined && (
            <p class="sm gap0" role="alert">
              {problem}
            </p>
          )}
          <div class="row gap0">
            <button type="submit" class="btn go">
              Connect
            </button>
            <span class="sm soft">Remembered in this browser</span>
          </div>
        </form>
      </div>
    </div>
  );
}
