// Draws a height of the chain with its date, once the site's days are there.
import { formatCount } from '#text/format-count.ts';
import type { Days } from '../responses.ts';
import { useResponse } from './use-response.ts';

export function Height({ value }: { value: number }) {
  const { answer } = useResponse<Days>('metadata/v1/days');
  const [, day] = answer?.days.findLast(([first]) => first <= value) ?? [];
  return (
    <>
      {formatCount(value)}
      {day && ' '}
      {day && (
        <time class="soft" dateTime={day}>
          {day}
        </time>
      )}
    </>
  );
}
