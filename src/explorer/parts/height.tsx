// Draws a height of the chain with its date, once the site's days are there.
import { formatCount } from '#text/format-count.ts';
import type { Days } from '../answers.ts';
import { useAnswer } from './use-answer.ts';

export function Height({ value }: { value: number }) {
  const { answer } = useAnswer<Days>('metadata/v1/days');
  const start = answer?.days.findLast(([first]) => first <= value);
  return (
    <>
      {formatCount(value)}
      {start !== undefined && (
        <>
          {' '}
          <time class="soft" dateTime={start[1]}>
            {start[1]}
          </time>
        </>
      )}
    </>
  );
}
