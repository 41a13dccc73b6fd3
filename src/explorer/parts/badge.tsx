// Draws badges. Each reason also has a note.

interface BadgeProps {
  readonly kind?: '' | 'std' | 'warn' | 'bad';
  readonly children: string;
}

export function Badge({ kind = '', children }: BadgeProps) {
  return <span class={`badge ${kind}`}>{children}</span>;
}
