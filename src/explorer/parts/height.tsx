// Draws a height of the chain with its date, once the site's days are there.
import { formatCount } from '#text/format-count.ts';
import type { Days } from '../answers.ts';
import { useAnswer } from './use-answer.ts';

export function Height({ value }: { value: number }) {
  const asked = useAnswer<Days>('metadata/v1/days');
  const start = asked.state === 'there' ? asked.answer.days.findLast(([first]) => first <= value) : undefined;
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
