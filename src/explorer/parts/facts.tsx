// Draws facts about a token or a contract, each with its name, and texts that can be copied.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { shortAddress } from '../format.ts';

/** Nothing where its value is not known. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  if (children === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Copyable({ text, short = false, href }: { text: string; short?: boolean; href?: string }) {
  const shown = <code>{short ? shortAddress(text) : text}</code>;
  return (
    <span class="copyable">
      {href === undefined ? shown : <a href={href}>{shown}</a>}
      <Copy text={text} label={`Copy ${text}`} />
    </span>
  );
}

/** Who deployed a contract, and all else that it deployed. */
export function Deployer({ address }: { address: string }) {
  return (
    <Fact name="Deployer">
      <Copyable text={address} short href={`#/address/${address}`} />
    </Fact>
  );
}

export function Copy({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState('copy');
  const copy = async () => {
    // A page that did not come by HTTPS has no clipboard.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(isCopied ? 'copied' : 'not allowed here');
    setTimeout(() => setSaid('copy'), 1_500);
  };
  return (
    <button type="button" onClick={copy} aria-label={label}>
      {said}
    </button>
  );
}
