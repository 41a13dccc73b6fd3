// Draws a block height with its date, once the days of the site are loaded.
import { formatCount } from '#text/format-count.ts';
import { formatDay } from '../format.ts';
import type { Days } from '../responses.ts';
import { useResponse } from './use-response.ts';

/** Draws `17 Dec 2024 block 328,526`; `isShort`: only the block and the date in one style. */
export function Height({ value, isShort = false }: { value: number; isShort?: boolean }) {
  const { content } = useResponse<Days>('metadata/v1/days');
  const [, day] = content?.days.findLast(([first]) => first <= value) ?? [];
  const block = `block ${formatCount(value)}`;
  if (day === undefined) return <>{block}</>;
  const time = <time dateTime={day}>{formatDay(day)}</time>;
  if (isShort)
    return (
      <>
        {block} · {time}
      </>
    );
  return (
    <>
      {time} <small>{block}</small>
    </>
  );
}
