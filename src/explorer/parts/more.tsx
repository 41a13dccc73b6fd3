// Draws the button that shows more of a list, and how much is shown.
import { formatCount } from '#text/format-count.ts';

interface MoreProps {
  readonly shown: number;
  readonly total: number;
  readonly step: number;
  readonly onClick: () => void;
}

export function More({ shown, total, step, onClick }: MoreProps) {
  if (shown >= total) return null;
  return (
    <p class="row gap0">
      <button type="button" class="btn" onClick={onClick}>
        Show {formatCount(Math.min(step, total - shown))} more
      </button>
      <span class="sm soft num">
        {formatCount(shown)} of {formatCount(total)}
      </span>
    </p>
  );
}
