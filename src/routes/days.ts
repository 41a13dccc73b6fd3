// Route metadata/v1/days: the first block of each day, by which any height has a date.

import { indexFile } from '#layout/response-files.ts';
import { type DayStart, readDayStarts } from '#store/chain/day-starts.ts';
import { type Described, jsonPage, type Route, type Zod } from './route.ts';
import { siteSubject } from './subject.ts';

const schema = (z: Zod) =>
  z.strictObject({
    days: z
      .array(z.tuple([z.int().nonnegative(), z.iso.date()]))
      .describe('Heights of the first block of a day (UTC, by burn block time) with the day, ascending'),
  });

export type Days = Described<typeof schema>;

export const days: Route<readonly DayStart[]> = {
  id: 'days',
  path: 'metadata/v1/days',
  summary: 'The height at which each day began: the date of any block',
  parameters: [],
  schema,
  about: 'tokens',
  subject: siteSubject(readDayStarts),
  render(starts) {
    const answer: Days = { days: starts.map(({ height, day }) => [height, day]) };
    return [jsonPage(indexFile(days), answer)];
  },
};
