// Draws addresses, contract ids and transaction ids, each with a button that copies it.
import { useState } from 'preact/hooks';
import { splitContractId } from '#model/principal.ts';
import { Icon } from './icon.tsx';

/** Characters of an address that are shown at each end. */
const END = 6;
/** Time until a button shows its copy icon again. */
const RESET_MS = 1_500;

interface IdProps {
  /** An address or a contract id. */
  readonly id: string;
  readonly href?: string;
  /** Shows the entire address where the page is wide enough. */
  readonly isFull?: boolean;
  readonly hasCopy?: boolean;
}

/** Hides the middle of the address by style. Selections, copies and screen readers get the entire id. */
export function Id({ id, href, isFull = false, hasCopy = true }: IdProps) {
  const { address, name } = id.includes('.') ? splitContractId(id) : { address: id, name: undefined };
  const shown = (
    <>
      <span class="address">
        <Shortened text={address} start={END} hasTail={name !== undefined} />
      </span>
      {name !== undefined && <span class="name">.{name}</span>}
    </>
  );
  return (
    <span class={isFull ? 'id full' : 'id'}>
      {href === undefined ? (
        <span title={id}>{shown}</span>
      ) : (
        <a href={href} title={id}>
          {shown}
        </a>
      )}
      {hasCopy && <Copy text={id} what={name === undefined ? 'address' : 'contract id'} />}
    </span>
  );
}

export function TransactionId({ id, hasCopy = true }: Pick<IdProps, 'id' | 'hasCopy'>) {
  return (
    <span class="id">
      <span title={id}>
        <span class="address">
          <Shortened text={id} start={END + 2} />
        </span>
      </span>
      {hasCopy && <Copy text={id} what="transaction id" />}
    </span>
  );
}

/** Matches a contract id, an address or a transaction id. */
const IDS = /(S[MNPT][0-9A-Z]{26,39}(?:\.[a-zA-Z][\w-]*)?|0x[0-9a-f]{64})/;

/** Draws a message; its ids are shortened, so that none breaks. */
export function WithIds({ text }: { text: string }) {
  const drawn = text.split(IDS).map((part, index) => {
    if (index % 2 === 0) return part;
    return part.startsWith('0x') ? (
      <TransactionId key={index} id={part} hasCopy={false} />
    ) : (
      <Id key={index} id={part} hasCopy={false} />
    );
  });
  return <>{drawn}</>;
}

/** `hasTail`: rows on phones hide the end, too. */
function Shortened({ text, start, hasTail = false }: { text: string; start: number; hasTail?: boolean }) {
  const end = text.slice(-END);
  return (
    <>
      {text.slice(0, start)}
      <span class="middle">{text.slice(start, -END)}</span>
      {hasTail ? <span class="tail">{end}</span> : end}
    </>
  );
}

/** `what`: the name of the text, for the label. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<'ready' | 'Copied' | 'Not allowed on this page'>('ready');
  const copy = async () => {
    // Pages without HTTPS have no clipboard.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setState(isCopied ? 'Copied' : 'Not allowed on this page');
    setTimeout(() => setState('ready'), RESET_MS);
  };
  return (
    <>
      <button
        type="button"
        class={state === 'Copied' ? 'ic done' : 'ic'}
        onClick={copy}
        aria-label={`Copy ${what}`}
        title={`Copy ${what}`}
      >
        <Icon name={state === 'Copied' ? 'check' : 'copy'} />
      </button>
      {state !== 'ready' && <small role="status">{state}</small>}
    </>
  );
}
