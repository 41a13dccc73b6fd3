// Route metadata/v1/days: the first block of each day. With it, clients convert block heights to dates.

import { indexFile } from '#layout/response-files.ts';
import { type DayStart, readDayStarts } from '#store/chain/day-starts.ts';
import { type Described, jsonPage, type Route, type Zod } from './route.ts';
import { siteSubject } from './subject.ts';

const schema = (z: Zod) =>
  z.strictObject({
    days: z
      .array(z.tuple([z.int().nonnegative(), z.iso.date()]))
      .describe('Height of the first block of each day, and the day (UTC, by burn block time), ascending'),
  });

export type Days = Described<typeof schema>;

export const days: Route<readonly DayStart[]> = {
  id: 'days',
  path: 'metadata/v1/days',
  summary: 'First block of each day, to find the date of any block',
  parameters: [],
  schema,
  inBuilds: 'all',
  subject: siteSubject(readDayStarts),
  render(starts) {
    const response: Days = { days: starts.map(({ height, day }) => [height, day]) };
    return [jsonPage(indexFile(days), response)];
  },
};
