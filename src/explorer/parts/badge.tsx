// Draws badges. Each reason also has a note.

interface BadgeProps {
  readonly kind?: '' | 'std' | 'warn' | 'bad';
  readonly children: string;
}

export function Badge({ kind = '', children }: BadgeProps) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** The standard of a token, a collection or an item. */
export const STANDARD_NAMES: Readonly<Record<string, string>> = { ft: 'SIP-010', nft: 'SIP-009', sft: 'SIP-013' };
