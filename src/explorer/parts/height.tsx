// Draws a height of the chain with its date, once the site's days are there.
import { formatCount } from '#text/format-count.ts';
import type { Days } from '../answers.ts';
import { useAnswer } from './use-answer.ts';

export function Height({ value }: { value: number }) {
  const { answer } = useAnswer<Days>('metadata/v1/days');
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
