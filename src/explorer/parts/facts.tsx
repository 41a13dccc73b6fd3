// Draws facts: rows on phones and in the aside, elsewhere one line of equal cells.
import type { ComponentChildren } from 'preact';
import { Id } from './id.tsx';

interface FactsProps {
  /** Draws rows at every width. */
  readonly isAside?: boolean;
  readonly children: ComponentChildren;
}

export function Facts({ isAside = false, children }: FactsProps) {
  return <dl class={isAside ? 'card facts side' : 'card facts gap'}>{children}</dl>;
}

/** Draws nothing for a value that is not known. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  if (children === undefined || children === null || children === false) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Links to everything that the deployer of a contract deployed. */
export function Deployer({ address }: { address: string }) {
  return (
    <Fact name="Deployer">
      <Id id={address} href={`#/address/${address}`} />
    </Fact>
  );
}
